package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/runtime/bundle"
)

// A manifest's strings don't reach the terminal as they are.
func TestInspectEscapes(t *testing.T) {
	b := &bundle.Bundle{}
	b.Manifest.Model.Name = "a\x1b[2Jb\nc — é"
	b.Manifest.Compile.Flags = []string{"--x=\u202e"}
	var out bytes.Buffer
	if err := inspect(&out, b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`a\x1b[2Jb\nc — é (`, `--x=\u202e`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q isn't in %q", want, out.String())
		}
	}
	if strings.ContainsAny(out.String(), "\x1b\u202e") {
		t.Errorf("control characters in %q", out.String())
	}
}
