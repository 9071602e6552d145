package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/compiler"
	"github.com/mlxc/mlxc/compiler/hub/hubtest"
	"github.com/mlxc/mlxc/compiler/iree"
	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/runtime/bundle"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"mlxc-emit": func() {
			if mode := os.Getenv("FAKE_SESSION"); mode != "" {
				openSession = fakeSessions(mode)
			}
			main()
		},
		"fake-iree-compile": fakeCompiler,
		"iree-opt":          fakeOpt,
	})
}

// namespace begins a command line that may mount file systems which nobody else sees;
// nil where the system allows none.
var namespace = func() []string {
	for _, unshare := range [][]string{{"unshare", "-m"}, {"unshare", "-rm"}} {
		mount := append(slices.Clone(unshare), "mount", "-t", "tmpfs", "none", os.TempDir())
		if exec.Command(mount[0], mount[1:]...).Run() == nil {
			return unshare
		}
	}
	return nil
}()

// Scripts in testdata run the command. Their own commands: checkpoint CASE DIR unpacks
// an oracle checkpoint, await FILE waits until it is there, hub DIR serves a folder as
// the hub's test/tiny-llama; the first request for weights stalls, then the file stalled
// is there. [mount]: $NAMESPACE begins a
// command line that may mount file systems.
func TestScripts(t *testing.T) {
	cases := map[string]string{"llama": oracle.Load(t, "llama").Dir}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			tool, err := iree.Find("iree-compile", "")
			if err != nil {
				return err
			}
			e.Setenv("MLXC_IREE_BIN", filepath.Dir(tool))
			e.Setenv("MLXC_CACHE_DIR", filepath.Join(e.WorkDir, "cache"))
			e.Setenv("NAMESPACE", strings.Join(namespace, " "))
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "mount" {
				return false, fmt.Errorf("unknown condition %s", name)
			}
			return namespace != nil, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"checkpoint": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(os.CopyFS(ts.MkAbs(args[1]), os.DirFS(cases[args[0]])))
				for _, extra := range []string{"oracle.json", "oracle.safetensors"} {
					ts.Check(os.Remove(filepath.Join(ts.MkAbs(args[1]), extra)))
				}
			},
			"hub": func(ts *testscript.TestScript, _ bool, args []string) {
				s := hubtest.Serve(t, "test/tiny-llama", hubtest.Dir(t, ts.MkAbs(args[0])))
				s.Misbehave(stallOnce(s, ts.MkAbs("stalled")))
				ts.Setenv("HF_ENDPOINT", s.URL)
				ts.Setenv("HF_HOME", ts.MkAbs("hf"))
				ts.Setenv("HF_TOKEN", hubtest.Token)
			},
			"await": func(ts *testscript.TestScript, _ bool, args []string) {
				for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
					if st, err := os.Stat(ts.MkAbs(args[0])); err == nil && st.Size() > 0 {
						return
					}
					if time.Now().After(deadline) {
						ts.Fatalf("%s did not come", args[0])
					}
				}
			},
		},
	})
}

// stallOnce sends a part of a large file, makes the file marker, and waits until the
// client goes.
func stallOnce(s *hubtest.Server, marker string) hubtest.Fault {
	return func(w http.ResponseWriter, r *http.Request, large bool) bool {
		if !large {
			return false
		}
		s.Misbehave(nil)
		path := strings.TrimPrefix(r.URL.Path, "/")
		w.Header().Set("Content-Length", fmt.Sprint(len(s.Files[path])))
		_, err := w.Write(s.Files[path][:100_000])
		if err := errors.Join(err, http.NewResponseController(w).Flush(), os.WriteFile(marker, []byte("now"), 0o666)); err != nil {
			panic(err) // which ends the connection
		}
		<-r.Context().Done()
		return true
	}
}

// fakeOpt stands for the iree-opt that lies beside a compiler.
func fakeOpt() {
	text, err := os.ReadFile(os.Args[2])
	if err == nil {
		err = os.WriteFile(os.Args[4], text, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// fakeCompiler stands for iree-compile. $FAKE says what it does with the module named
// in $FAKE_MODULE (all if that is empty): fail, kill, slow, count,
// large (it makes 2 MB) or cut (the checkpoint, to one page).
func fakeCompiler() {
	args := os.Args[1:]
	switch {
	case slices.Contains(args, "--version"):
		fmt.Printf("IREE (https://iree.dev):\n  IREE compiler version %s\n", cmpOr(os.Getenv("FAKE_VERSION"), "3.13.0rc1 @ abc"))
		return
	case slices.Contains(args, "--compile-to=executable-sources"):
		cpu, features := "fake", "+sse2,+avx2"
		for _, a := range args {
			if name, ok := strings.CutPrefix(a, "--iree-llvmcpu-target-cpu="); ok && name != "host" {
				cpu = name
			}
		}
		if cpu == "x86-64-v4" {
			features += ",+madeup"
		}
		fmt.Printf("{cpu = \"%s\", cpu_features = \"%s\"}\n", cpu, features)
		return
	}
	in, out := args[len(args)-3], args[len(args)-1]
	mode := os.Getenv("FAKE")
	if g := os.Getenv("FAKE_MODULE"); g != "" && g+".mlir" != in {
		mode = ""
	}
	dir := os.Getenv("FAKE_DIR")
	switch mode {
	case "fail":
		fmt.Fprintf(os.Stderr, "loading\n%s:7:9: error: 'stablehlo.knead' is not an op\nand more\n", in)
		os.Exit(1)
	case "kill":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "slow":
		os.WriteFile(filepath.Join(dir, "pid"), fmt.Append(nil, os.Getpid()), 0o666)
		time.Sleep(time.Minute)
	case "count":
		live := filepath.Join(dir, "live-"+in)
		os.WriteFile(live, nil, 0o666)
		time.Sleep(200 * time.Millisecond)
		all, _ := filepath.Glob(filepath.Join(dir, "live-*"))
		os.WriteFile(filepath.Join(dir, fmt.Sprintf("most-%d", len(all))), nil, 0o666)
		os.Remove(live)
	case "cut":
		os.Truncate(filepath.Join(os.Getenv("WORK"), "ckpt/model.safetensors"), 4096)
	}
	text, err := os.ReadFile(in)
	if err == nil {
		text = append([]byte("compiled "), text[:40]...)
		if mode == "large" {
			text = make([]byte, 2<<20)
		}
		err = os.WriteFile(out, text, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// fakeSessions opens sessions without a device: right, wrong from the first decode
// on, or not at all on this machine.
func fakeSessions(mode string) compiler.OpenSession {
	return func(_ context.Context, b *bundle.Bundle, device, _ string) (compiler.Session, error) {
		if mode == "cannot" && device != "reference" {
			return nil, &compiler.CannotRunError{Reason: "this machine has no such device"}
		}
		return &fakeSession{vocab: b.Manifest.Model.Vocab, slots: b.Manifest.Model.Slots, wrong: mode == "wrong" && device != "reference", seqs: map[int][]int32{}}, nil
	}
}

type fakeSession struct {
	vocab, slots int
	wrong        bool
	seqs         map[int][]int32
}

func (s *fakeSession) Slots() int       { return s.slots }
func (s *fakeSession) Close() error     { return nil }
func (s *fakeSession) Release(slot int) { delete(s.seqs, slot) }
func (s *fakeSession) Open(context.Context) (int, error) {
	for i := 0; ; i++ {
		if _, taken := s.seqs[i]; !taken {
			s.seqs[i] = nil
			return i, nil
		}
	}
}

func (s *fakeSession) Prefill(_ context.Context, slot int, tokens []int32) ([]float32, error) {
	s.seqs[slot] = append(s.seqs[slot], tokens...)
	return s.logits(slot), nil
}

func (s *fakeSession) Decode(_ context.Context, slots []int, tokens []int32) ([][]float32, error) {
	var rows [][]float32
	for i, slot := range slots {
		s.seqs[slot] = append(s.seqs[slot], tokens[i])
		rows = append(rows, s.logits(slot))
		if s.wrong {
			rows[i][3] += 2.5
		}
	}
	return rows, nil
}

func (s *fakeSession) logits(slot int) []float32 {
	h := fnv.New32()
	fmt.Fprint(h, s.seqs[slot])
	l := make([]float32, s.vocab)
	for i := range l {
		l[i] = float32(h.Sum32()>>(i%20)%100) / 100
	}
	return l
}

// emit runs the command in this process.
func emit(args ...string) (exit int, stdout, stderr string) {
	var out, errs bytes.Buffer
	s := cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs}
	cmd := NewCmdEmit(s, nil)
	cmd.SetArgs(args)
	exit = cli.Main(cmd, s)
	return exit, out.String(), errs.String()
}

// The inputs that must be refused: by class, by name, and without a trace.
func TestBadCheckpoints(t *testing.T) {
	for _, name := range oracle.BadNames(t) {
		t.Run(name, func(t *testing.T) {
			bad := oracle.LoadBad(t, name)
			dir := t.TempDir()
			exit, stdout, stderr := emit("-o", filepath.Join(dir, "out.tar"), "--cache-dir", filepath.Join(dir, "cache"), bad.Dir)
			if exit == 0 || stdout != "" || !strings.HasPrefix(stderr, "mlxc-emit: "+bad.Error+": ") {
				t.Errorf("exit %d, stdout %q, stderr %q, want the class %s", exit, stdout, stderr, bad.Error)
			}
			for _, word := range bad.Mentions {
				if !strings.Contains(stderr, word) {
					t.Errorf("%q does not mention %q", stderr, word)
				}
			}
			if left, _ := os.ReadDir(dir); len(left) != 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// Flags are parsed into Options; environment variables stand in for absent ones.
func TestFlags(t *testing.T) {
	t.Setenv("MLXC_CACHE_DIR", "") // make sets it
	t.Setenv("MLXC_PRECISION", "bf16")
	t.Setenv("MLXC_JOBS", "3")
	var got *Options
	stop := errors.New("stop")
	s := cli.IO{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}
	cmd := NewCmdEmit(s, func(_ context.Context, o *Options) error { got = o; return stop })
	cmd.SetArgs([]string{"-o", "b.tar", "--jobs", "2", "--graphs", "decode,ragged_b4", "--no-self-check", "ckpt", "--", "--iree-x=1", "--iree-y"})
	if exit := cli.Main(cmd, s); exit != 1 {
		t.Errorf("exit %d", exit)
	}
	want := &Options{IO: s, Checkpoint: "ckpt", Flags: []string{"--iree-x=1", "--iree-y"}, Output: "b.tar", Target: "llvm-cpu",
		Precision: "bf16", Jobs: 2, Graphs: []string{"decode", "ragged_b4"}, NoSelfCheck: true}
	if d := cmp.Diff(want, got, cmp.Comparer(func(a, b cli.IO) bool { return a.Out == b.Out })); d != "" {
		t.Error(d)
	}
}

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "100": 100, "4GB": 4 << 30, "512M": 512 << 20, "1.5GiB": 3 << 29, "2k": 2 << 10} {
		if got, err := parseBytes(text); got != want || err != nil {
			t.Errorf("%q: %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"x", "-1", "4XB", "0", "1e99", "GB", "nan", "inf", "1125899906842624T", "1e-9"} {
		if got, err := parseBytes(text); err == nil {
			t.Errorf("%q: %d", text, got)
		}
	}
}
