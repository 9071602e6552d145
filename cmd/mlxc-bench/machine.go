package main

import (
	"os"
	goruntime "runtime"
	"runtime/debug"
	"strings"

	"github.com/mlxc/mlxc/cmd/internal/cli"
)

// buildCommit is the commit that the binary was built from, or the version.
func buildCommit() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
	}
	return cli.Version
}

// cpuInfo is the processor's name as Linux tells it, elsewhere the architecture.
func cpuInfo() string {
	b, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return goruntime.GOARCH
	}
	for line := range strings.Lines(string(b)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return goruntime.GOARCH
}
