// Package hub gets checkpoints from the Hugging Face hub, or from a server that speaks
// its protocol: only the files that a checkpoint needs, at one commit, in parallel
// ranges, resumable, their digests checked. What was got stays in a cache, laid out as
// HF's own library lays its out, which is read too.
package hub

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode"

	"github.com/mlxc/mlxc/compiler/checkpoint"
)

// Prefix begins the names of the hub's models among checkpoints.
const Prefix = "hf:"

// Form is how a model of the hub is written.
const Form = "hf:ORG/NAME[@REVISION][:FILE], where FILE is a .gguf of the repository, its quantisation (Q4_K_M) or config.json"

// Ref names a model of the hub.
type Ref struct {
	Org, Name string
	Revision  string // branch, tag or commit; "main" if none is given
	File      string // "": the repository's SafeTensors, or its only GGUF
}

// Is reports whether a checkpoint's name is that of a model of the hub.
func Is(checkpoint string) bool { return strings.HasPrefix(checkpoint, Prefix) }

var (
	// Names as the hub allows them, which are safe as parts of paths and addresses.
	repoPart = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9._-]{0,94}[A-Za-z0-9_])?$`)
	revision = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._/+-]{0,254}$`)
	commitID = regexp.MustCompile(`^[0-9a-f]{40}$`)
)

// ParseRef reads the name of a model of the hub.
func ParseRef(text string) (Ref, error) {
	fail := func(why string) (Ref, error) {
		return Ref{}, fmt.Errorf("%.300q: %s; a model of the hub is written %s", text, why, Form)
	}
	rest, ok := strings.CutPrefix(text, Prefix)
	if !ok {
		return fail("it doesn't begin with " + Prefix)
	}
	repo, file, hasFile := strings.Cut(rest, ":")
	repo, rev, hasRevision := strings.Cut(repo, "@")
	org, name, ok := strings.Cut(repo, "/")
	switch {
	case !ok || !isRepoPart(org) || !isRepoPart(name):
		return fail(fmt.Sprintf("%.200q isn't ORG/NAME", repo))
	case hasRevision && (!revision.MatchString(rev) || checkPath(rev) != nil):
		return fail(fmt.Sprintf("%.200q isn't a branch, tag or commit", rev))
	case hasFile && checkPath(file) != nil:
		return fail(fmt.Sprintf("%.200q isn't a file of a repository", file))
	}
	if !hasRevision {
		rev = "main"
	}
	return Ref{Org: org, Name: name, Revision: rev, File: file}, nil
}

func isRepoPart(s string) bool {
	return repoPart.MatchString(s) && !strings.Contains(s, "--") && !strings.Contains(s, "..")
}

// Repo is ORG/NAME.
func (r Ref) Repo() string { return r.Org + "/" + r.Name }

// String is the form that ParseRef reads.
func (r Ref) String() string {
	s := Prefix + r.Repo() + "@" + r.Revision
	if r.File != "" {
		s += ":" + r.File
	}
	return s
}

// Base is a name for what is made of the model: that of the GGUF file, else that of the
// repository, with the quantisation if one is named.
func (r Ref) Base() string {
	switch {
	case strings.HasSuffix(r.File, ".gguf"):
		return checkpoint.ModelName(r.File)
	case r.File == "" || r.File == configName:
		return r.Name
	}
	return r.Name + "-" + path.Base(r.File)
}

// Limits of the name of a file of a repository, and of a part of it, as file systems
// have them.
const (
	maxPath = 1024
	maxName = 255
)

// checkPath refuses names of files that could lead out of a folder, or that aren't the
// same on every system.
func checkPath(name string) error {
	refuse := func(why string) error { return fmt.Errorf("%.100q %s", name, why) }
	if name == "" || len(name) > maxPath {
		return refuse(fmt.Sprintf("has %d bytes, must have 1 to %d", len(name), maxPath))
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r == '\\' || r == unicode.ReplacementChar || unicode.IsControl(r) }) {
		return refuse("has a backslash or a control character in it")
	}
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > maxName {
			return refuse(fmt.Sprintf("has a part of %d bytes, at most %d are allowed", len(part), maxName))
		}
		if part == "" || part == "." || part == ".." {
			return refuse("isn't a plain relative path")
		}
	}
	return nil
}
