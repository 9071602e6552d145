package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

const (
	scripts  = "bench/peers/engines"
	work     = "build/bench"
	binaries = work + "/bin"

	demoModel = "build/smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"

	// llamaFlags of CMake go with those of the level; all else is llama.cpp's default.
	llamaFlags = " -DLLAVA_BUILD=OFF"
)

// selection is what to measure.
type selection struct {
	level   level
	model   string              // a GGUF, or "random"
	weights map[string][]string // by engine
	bundles []string            // of mlxc, NAME=PATH
	graphs  map[string][]string // of mlxc's bundles, by weights; none: all
	context int                 // tokens of mlxc's bundles
	jobs    int                 // processors that compile llama.cpp, 0: all
}

// engine is something to measure; its script and the lock of its Python packages
// have the same name.
type engine struct {
	name, flag, defaults, example string
	script                        string
	// model is which of the files of weights.py it reads; "": what they are made from.
	model func(weights string) string
}

var engines = []engine{
	{name: "llama.cpp", flag: "llamacpp", defaults: "q4_1,q4_0,q4_k_m,q8_0,f16,f32", example: "q4_k_s,q6_k", script: "llamacpp",
		model: func(weights string) string { return weights }},
	{name: "mlxc", flag: "mlxc", defaults: "keep,keep:q4_k_m,q4,q8,f16,f32", example: "f16,q4:32 (precisions of mlxc-emit), keep:q6_k (llama.cpp's file)",
		model: keptFormat},
	{name: "mlx-lm", flag: "mlxlm", example: "f32,f16,q8,q4", script: "mlxlm",
		model: func(string) string { return "hf" }},
	{name: "transformers", flag: "transformers", example: "f32,f16,bf16 (downloads gigabytes)", script: "torch_hf",
		model: func(string) string { return "hf" }},
}

// keptFormat is the format of llama.cpp whose file mlxc reads and keeps as it is, "" if
// it is the model's source that mlxc reads.
func keptFormat(weights string) string {
	format, ok := strings.CutPrefix(weights, "keep:")
	if !ok {
		return ""
	}
	return format
}

// Model is what all contenders run.
type Model struct {
	Name   string `json:"name"`
	Source string `json:"source"` // GGUF that mlxc reads
	// MatrixParams are the weights that each token of a prompt is multiplied with:
	// those of the layers, without the embedding and the head.
	MatrixParams int64 `json:"matrix_params"`

	files map[string]string // by format
}

// setup builds the engines and makes the weights. An engine or format that can't be
// had is left out, the reason stays in the report; without llama.cpp there is no
// comparison, so that is an error.
func setup(ctx context.Context, s selection, rep *Report) ([]*contender, error) {
	if err := os.MkdirAll(work, 0o755); err != nil {
		return nil, err
	}
	if err := command(ctx, "mlxc", []string{"CGO_ENABLED=0"}, "go", "build", "-trimpath", "-o", binaries+"/", "./cmd/..."); err != nil {
		return nil, err
	}
	if err := buildLlama(ctx, s.level, s.jobs); err != nil {
		return nil, err
	}
	var formats []string
	for _, e := range engines {
		for _, w := range s.weights[e.name] {
			if f := e.model(w); f != "" && !slices.Contains(formats, f) {
				formats = append(formats, f)
			}
		}
	}
	var err error
	if rep.Model, err = makeWeights(ctx, s, formats); err != nil {
		return nil, err
	}
	var all []*contender
	for _, e := range engines {
		all = append(all, contendersOf(ctx, e, s, rep)...)
	}
	for _, b := range s.bundles {
		name, path, _ := strings.Cut(b, "=")
		all = append(all, mlxcContender(name, path))
	}
	if len(all) == 0 {
		return nil, errors.New("no engine is left to measure")
	}
	return all, nil
}

func contendersOf(ctx context.Context, e engine, s selection, rep *Report) []*contender {
	if len(s.weights[e.name]) == 0 {
		return nil
	}
	environment := e.script
	if e.script == "llamacpp" {
		environment = llamaFolder(s.level)
	} else if e.script != "" {
		if err := venv(ctx, e.script, e.script+".txt"); err != nil {
			rep.skip(e.name, "", "", 0, err)
			return nil
		}
	}
	var all []*contender
	for _, w := range s.weights[e.name] {
		if e.script != "" {
			all = append(all, pythonContender(e, environment, w, rep.Model.files[e.model(w)]))
			continue
		}
		emitted, err := emit(ctx, rep.Model, w, s)
		if err != nil {
			rep.skip(e.name, w, "", 0, err)
			continue
		}
		rep.Emitted = append(rep.Emitted, emitted)
		all = append(all, mlxcContender(w, emitted.Bundle))
	}
	return all
}

// buildLlama installs llama-cpp-python from its source distribution, which compiles
// llama.cpp for the level. pip's cache knows nothing of the flags of CMake, so it
// isn't used.
func buildLlama(ctx context.Context, l level, jobs int) error {
	name, flags := llamaFolder(l), l.CMake+llamaFlags
	if err := venv(ctx, name, "llamacpp-wheels.txt"); err != nil {
		return err
	}
	if jobs == 0 {
		jobs = runtime.NumCPU()
	}
	bin, err := filepath.Abs(filepath.Join(work, name, "bin"))
	if err != nil {
		return err
	}
	env := []string{"CMAKE_ARGS=" + flags, "CMAKE_BUILD_PARALLEL_LEVEL=" + strconv.Itoa(jobs), "PATH=" + bin + ":" + os.Getenv("PATH")}
	return once(name, "llamacpp.txt", flags, func() error {
		return command(ctx, name, env, python(name), "-m", "pip", "install", "-v", "--disable-pip-version-check", "--no-cache-dir",
			"--require-hashes", "--no-deps", "--no-build-isolation", "--no-binary", ":all:", "--force-reinstall", "-r", scripts+"/llamacpp.txt")
	})
}

// llamaFolder is the environment with llama.cpp for a level.
func llamaFolder(l level) string { return "llamacpp-" + l.Name }

// venv makes a virtual environment with the packages of a lock file.
func venv(ctx context.Context, name, lock string) error {
	return once(name, lock, "", func() error {
		if err := command(ctx, name, nil, "python3", "-m", "venv", "--clear", work+"/"+name); err != nil {
			return err
		}
		return command(ctx, name, nil, python(name), "-m", "pip", "install", "--disable-pip-version-check", "--require-hashes", "--only-binary", ":all:", "-r", scripts+"/"+lock)
	})
}

func python(name string) string { return work + "/" + name + "/bin/python" }

// once does a step of an environment unless it was done with this lock and these flags.
func once(name, lock, flags string, step func() error) error {
	text, err := os.ReadFile(scripts + "/" + lock)
	if err != nil {
		return err
	}
	want := fmt.Sprintf("%x", sha256.Sum256(append(text, flags...)))
	stamp := filepath.Join(work, name, lock+".done")
	if have, err := os.ReadFile(stamp); err == nil && string(have) == want {
		return nil
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := step(); err != nil {
		return err
	}
	return os.WriteFile(stamp, []byte(want), 0o644)
}

// makeWeights writes the model in the formats, if it isn't there yet.
func makeWeights(ctx context.Context, s selection, formats []string) (Model, error) {
	source := s.model
	m := Model{Name: strings.TrimSuffix(filepath.Base(source), ".gguf"), Source: source}
	args := []string{scripts + "/weights.py"}
	if source == "random" {
		args = append(args, "--random")
		source = demoModel // its vocabulary
	}
	if _, err := os.Stat(source); err != nil {
		return m, fmt.Errorf("the demo model comes with make deps: %w", err)
	}
	args = append(args, source, work+"/"+m.Name)
	out, err := output(ctx, "weights", nil, python(llamaFolder(s.level)), append(args, formats...)...)
	if err != nil {
		return m, err
	}
	var made struct {
		Files        map[string]string `json:"files"`
		MatrixParams int64             `json:"matrix_params"`
	}
	if err := json.Unmarshal(out, &made); err != nil {
		return m, fmt.Errorf("weights.py: %w", err)
	}
	m.files, m.MatrixParams = made.Files, made.MatrixParams
	if m.Source == "random" {
		m.Source = m.files["f16"]
	}
	return m, nil
}

// command runs a step and keeps what it says in a log.
func command(ctx context.Context, name string, env []string, args ...string) error {
	_, err := output(ctx, name, env, args[0], args[1:]...)
	return err
}

// output is command, with the standard output of the step.
func output(ctx context.Context, name string, env []string, program string, args ...string) ([]byte, error) {
	return watched(ctx, name, env, func(int) func() { return func() {} }, program, args...)
}

// watched is output of a process that is watched while it runs.
func watched(ctx context.Context, name string, env []string, watch func(pid int) (stop func()), program string, args ...string) ([]byte, error) {
	log, err := os.OpenFile(filepath.Join(work, strings.ReplaceAll(name, ":", "-")+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	fmt.Fprintf(os.Stderr, "%s: %s %s (log: %s)\n", name, filepath.Base(program), strings.Join(args, " "), log.Name())
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&stdout, log), io.MultiWriter(&stderr, log)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	stop := watch(cmd.Process.Pid)
	err = cmd.Wait()
	stop()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s (log: %s)", name, err, lastLine(stderr.Bytes()), log.Name())
	}
	return stdout.Bytes(), nil
}
