package iree

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// A module is compiled in three steps. Most of the time would go to dispatches that
// are formed for each call of a function anew: the layers of a model are calls of one.
// So functions marked no_inline and noinline (ir.Func.NoInline) stay apart as far as
// the flow dialect, where dispatches are formed; there they are inlined after all,
// because later on a call would copy its arguments; and the module goes on as one.
func (d *Driver) steps(j Job) []step {
	flow, inlined := j.Name+".flow.mlir", j.Name+".inlined.mlir"
	last := []string{"--compile-from=flow", inlined, "-o", d.result(j)}
	if d.To != "" {
		last = append([]string{"--compile-to=" + d.To}, last...)
	}
	return []step{
		{d.Path, slices.Concat(j.Flags, []string{"--compile-to=flow", j.Name + ".mlir", "-o", flow}), flow},
		{d.Opt, []string{"--inline", flow, "-o", inlined}, inlined},
		{d.Path, slices.Concat(j.Flags, j.Codegen, last), d.result(j)},
	}
}

// step is a program that runs in the module's folder.
type step struct {
	tool   string
	args   []string
	output string // the file that it makes
}

// result is the name of the file that a job makes.
func (d *Driver) result(j Job) string {
	if d.To != "" {
		return j.Name + "." + d.To
	}
	return j.Name + ".vmfb"
}

// apart is how the flow dialect says that a function is not to be inlined.
const apart = " attributes {inlining_policy = #util.inline.never}"

// words are the step as a shell would run it, mending its output after it.
func (s step) words() []string {
	words := []string{"&&", quote(absolute(s.tool))}
	for _, a := range s.args {
		words = append(words, quote(a))
	}
	if slices.Contains(s.args, "--compile-to=flow") {
		words = append(words, "&&", "sed", "-i", quote("s/"+apart+"//"), quote(s.output))
	}
	return words
}

// run runs the step in a folder. What it prints goes to log.
func (s step) run(ctx context.Context, dir string, log io.Writer) error {
	cmd := command(ctx, absolute(s.tool), s.args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, log, log
	if err := cmd.Run(); err != nil {
		return err
	}
	output := filepath.Join(dir, s.output)
	if !isFile(output) {
		return fmt.Errorf("no %s was written", s.output)
	}
	if !slices.Contains(s.args, "--compile-to=flow") {
		return nil
	}
	text, err := os.ReadFile(output)
	if err != nil {
		return err
	}
	text = bytes.ReplaceAll(text, []byte(apart), nil)
	if bytes.Contains(text, []byte("inlining_policy")) {
		return fmt.Errorf("%s marks functions in another way than %q", s.output, apart)
	}
	return os.WriteFile(output, text, 0o666)
}

// absolute is path for use in another folder.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
