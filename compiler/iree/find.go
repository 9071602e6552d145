// Package iree finds and runs the IREE command-line tools, and checks that their
// version is the one that mlxc is made for.
package iree

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Version is the IREE release that mlxc is made for; a vmfb runs on no other.
const Version = "3.13.0"

// binVariable names the folder of IREE's tools.
const binVariable = "MLXC_IREE_BIN"

// Find returns the path of an IREE tool such as "iree-compile": explicit, a path
// or a name in $PATH, if that isn't empty, else the first of $MLXC_IREE_BIN, build/venv/bin of the enclosing
// mlxc source tree (what `make deps` installs), and $PATH.
func Find(tool, explicit string) (string, error) {
	if explicit != "" {
		p, err := exec.LookPath(explicit)
		if err != nil {
			return "", fmt.Errorf("iree: %s: %w; %s", tool, err, repair)
		}
		return p, nil
	}
	if dir := os.Getenv(binVariable); dir != "" {
		p, err := exec.LookPath(filepath.Join(dir, tool))
		if err != nil {
			return "", fmt.Errorf("iree: environment variable %s is %q, the folder of IREE's tools: %w; correct or unset it, then %s", binVariable, dir, err, repair)
		}
		return p, nil
	}
	if wd, err := os.Getwd(); err == nil {
		for d := wd; ; d = filepath.Dir(d) {
			if p := filepath.Join(d, "build", "venv", "bin", tool); isFile(p) {
				return p, nil
			}
			if d == filepath.Dir(d) {
				break
			}
		}
	}
	if p, err := exec.LookPath(tool); err == nil {
		return p, nil
	}
	return "", fmt.Errorf("iree: %s not found in $%s, build/venv/bin or $PATH; %s", tool, binVariable, repair)
}

func isFile(p string) bool {
	st, err := os.Stat(p)
	return err == nil && !st.IsDir()
}
