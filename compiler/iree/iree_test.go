package iree

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"
)

// fake writes a shell script that stands for iree-compile.
func fake(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "iree-compile")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o777); err != nil {
		t.Fatal(err)
	}
	return path
}

func realCompiler(t *testing.T) *Compiler {
	t.Helper()
	path, err := Find("iree-compile", "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := Check(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCheck(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"wheel", "echo 'IREE (https://iree.dev):'; echo '  IREE compiler version 3.13.0rc20261016 @ 89ece87b'", ""},
		{"release", "echo '  IREE compiler version 3.13.0'", ""},
		{"older", "echo '  IREE compiler version 3.12.0 @ abc'", "it is 3.12.0 @ abc, mlxc needs 3.13.0"},
		{"another program", "head -c 5000000 /dev/zero | tr '\\0' x", strings.Repeat("x", 500) + `…": not an iree-compile; run`},
		{"patch 10", "echo '  IREE compiler version 3.13.01'", "it is 3.13.01"},
		{"other tool", "echo clang 20", `says "clang 20": not an iree-compile`},
		{"broken", "echo no python >&2; exit 3", "exit status 3: no python"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Check(t.Context(), fake(t, c.script))
			if c.want == "" {
				if err != nil || !strings.HasPrefix(got.Version, "3.13.0") {
					t.Errorf("got %+v, %v", got, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "--iree-compile") {
				t.Errorf("got %v, want %q and what to do", err, c.want)
			}
		})
	}
	if _, err := Check(t.Context(), fake(t, "echo IREE compiler version 9.9.9")); !errors.Is(err, ErrVersion) {
		t.Errorf("another release: %v", err)
	}
}

// A wrong MLXC_IREE_BIN is named, not passed over.
func TestFindByVariable(t *testing.T) {
	good := fake(t, "")
	for _, c := range []struct {
		dir  string
		want string // of the error
	}{
		{filepath.Dir(good), ""},
		{filepath.Join(t.TempDir(), "absent"), "no such file or directory"},
		{t.TempDir(), "no such file or directory"},
		{good, "not a directory"},
	} {
		t.Setenv("MLXC_IREE_BIN", c.dir)
		got, err := Find("iree-compile", "")
		if c.want == "" {
			if err != nil || got != good {
				t.Errorf("MLXC_IREE_BIN=%s: %s, %v", c.dir, got, err)
			}
			continue
		}
		for _, say := range []string{"MLXC_IREE_BIN", c.dir, c.want, "make deps"} {
			if err == nil || !strings.Contains(err.Error(), say) {
				t.Errorf("MLXC_IREE_BIN=%s: %v, want it to say %q", c.dir, err, say)
			}
		}
	}
}

func TestResolveCPU(t *testing.T) {
	c := realCompiler(t)
	flags := []string{"--iree-input-type=stablehlo", "--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu"}
	v3, err := c.ResolveCPU(t.Context(), append(flags, "--iree-llvmcpu-target-cpu=x86-64-v3"))
	if err != nil || v3.Name != "x86-64-v3" || !slices.Contains(v3.Features, "avx2") || slices.Contains(v3.Features, "avx512f") {
		t.Errorf("x86-64-v3: %+v, %v", v3, err)
	}
	host, err := c.ResolveCPU(t.Context(), append(flags, HostFlag))
	if err != nil || host.Name == "host" || host.Name == "" || !slices.Contains(host.Features, "sse2") {
		t.Fatalf("host: %+v, %v", host, err)
	}
	// Said explicitly, it is the same processor.
	again, err := c.ResolveCPU(t.Context(), ReplaceCPU(append(flags, HostFlag), host))
	if err != nil || again.Name != host.Name || !slices.Equal(again.Features, host.Features) {
		t.Errorf("said explicitly: %+v, %v, want %+v", again, err, host)
	}
	if _, err := c.ResolveCPU(t.Context(), []string{"--no-such-flag"}); err == nil || !strings.Contains(err.Error(), "no-such-flag") {
		t.Errorf("an unknown flag: %v", err)
	}
}

func TestParseCPU(t *testing.T) {
	c := parseCPU("znver3", "+avx,+pku,+sse,-pku,+avx,-xop")
	if got, want := c.Flags(), []string{"--iree-llvmcpu-target-cpu=znver3", "--iree-llvmcpu-target-cpu-features=+sse,-pku"}; !slices.Equal(got, want) {
		t.Errorf("flags %q, want %q", got, want)
	}
	if arm := parseCPU("generic", "+neon,+reserve-x18"); !slices.Equal(arm.Features, []string{"neon"}) {
		t.Errorf("features %q: a register that is left alone is none", arm.Features)
	}
	if want := []string{"avx", "sse"}; !slices.Equal(c.Features, want) {
		t.Errorf("features %q, want %q", c.Features, want)
	}
}

func driver(t *testing.T, script string) *Driver {
	return &Driver{Compiler: &Compiler{Path: fake(t, script), Opt: fake(t, inlines), Version: "3.13.0"}, CacheDir: filepath.Join(t.TempDir(), "cache"), Jobs: 2}
}

func jobs(names ...string) []Job {
	var list []Job
	for _, n := range names {
		list = append(list, Job{Name: n, Text: []byte("module @" + n)})
	}
	return list
}

// leftovers lists what is in the cache that isn't a complete entry or a log.
// TestDamagedCacheEntry: a vmfb that was cut or changed in the cache is compiled again.
func TestDamagedCacheEntry(t *testing.T) {
	d := driver(t, copies)
	compile := func(wantCached bool) Result {
		t.Helper()
		got, err := d.Compile(t.Context(), jobs("decode"))
		if err != nil {
			t.Fatal(err)
		}
		if b, _ := os.ReadFile(got[0].Path); string(b) != twice+"module @decode" || got[0].Cached != wantCached {
			t.Fatalf("%q, cached %v, want cached %v", b, got[0].Cached, wantCached)
		}
		return got[0]
	}
	path := compile(false).Path
	for _, damage := range []func() error{
		func() error { return os.Truncate(path, 0) },
		func() error { return os.WriteFile(path, []byte(twice+"module @Xecode"), 0o666) },
		func() error { return os.Remove(path) },
		func() error { return os.Remove(path + ".sha256") },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		compile(false)
		compile(true)
	}
	if bad := leftovers(t, d.CacheDir); bad != nil {
		t.Errorf("left in the cache: %v", bad)
	}
}

func leftovers(t *testing.T, cache string) (bad []string) {
	t.Helper()
	all, err := os.ReadDir(cache)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		vmfb, _ := filepath.Glob(filepath.Join(cache, e.Name(), "*.vmfb"))
		mlir, _ := filepath.Glob(filepath.Join(cache, e.Name(), "*.mlir"))
		if e.Name() != "logs" && (len(vmfb) != 1 || len(mlir) != 1) {
			bad = append(bad, e.Name())
		}
	}
	return bad
}

// copies is a compiler that works: last three arguments are in, -o, out. It marks
// functions as the real one does.
const copies = `for a; do prev2=$prev; prev=$last; last=$a; done
(case "$*" in *--compile-to=flow*) echo 'compiled attributes {inlining_policy = #util.inline.never}';; *) echo compiled;; esac; cat "$prev2") > "$last"
`

// inlines is an iree-opt that works, and that finds nothing marked.
const inlines = `[ "$1 $3" = "--inline -o" ] && ! grep -q inlining_policy "$2" && cp "$2" "$4"`

// twice is what copies puts before what it compiles.
const twice = "compiled\ncompiled\n"

func TestCompileAndCache(t *testing.T) {
	d := driver(t, copies+`echo run >> "$(dirname "$0")/runs"`)
	var lines []string
	d.Command = func(l string) { lines = append(lines, l) }
	runs := func() int {
		b, _ := os.ReadFile(filepath.Join(filepath.Dir(d.Path), "runs"))
		return strings.Count(string(b), "run")
	}
	for round, cached := range []bool{false, true} {
		got, err := d.Compile(t.Context(), jobs("decode", "prefill_c16", "ragged_b4"))
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range got {
			want := twice + "module @" + []string{"decode", "prefill_c16", "ragged_b4"}[i]
			if b, err := os.ReadFile(r.Path); string(b) != want || r.Cached != cached {
				t.Errorf("round %d, %s: %q, %v, cached %v", round, r.Job.Name, b, err, r.Cached)
			}
		}
	}
	if n := runs(); n != 2*3 {
		t.Errorf("%d compilers ran, want 3 twice", n)
	}
	// Flags, their files, text and version are the key.
	flagged := jobs("decode")
	flagged[0].Flags = []string{"--o=3"}
	d.Compile(t.Context(), flagged)
	d.Compile(t.Context(), []Job{{Name: "decode", Text: []byte("other")}})
	d.Compiler = &Compiler{d.Path, d.Opt, "3.13.0rc2"}
	d.Compile(t.Context(), jobs("decode"))
	for _, text := range []string{"one", "two"} { // of a file that a flag names
		d.Compile(t.Context(), []Job{{Name: "decode", Text: []byte("module @decode"), Codegen: []string{"--spec"}, Files: map[string][]byte{"spec.txt": []byte(text)}}})
	}
	if n := runs(); n != 2*8 {
		t.Errorf("%d compilers ran after changes of key, want 8", n)
	}
	if bad := leftovers(t, d.CacheDir); bad != nil {
		t.Errorf("left in the cache: %v", bad)
	}
	// The printed lines can be replayed.
	if out, err := exec.Command("sh", "-c", lines[0]).CombinedOutput(); err != nil {
		t.Errorf("%s: %v: %s", lines[0], err, out)
	}
	if n := runs(); n != 2*9 {
		t.Errorf("replayed %q: %d runs", lines[0], n)
	}
}

func TestCompileFails(t *testing.T) {
	for _, c := range []struct {
		name, script, want string
		signal             syscall.Signal
	}{
		{"error", "echo warming up; echo 'decode.mlir:3:4: error: no such op' >&2; echo more; exit 1", "exited with 1: decode.mlir:3:4: error: no such op; the whole output is in ", 0},
		{"killed", "echo half-way; kill -9 $$", "ended by signal 9 (killed), most likely for want of memory: run fewer compilers at the same time with a lower --jobs", syscall.SIGKILL},
		{"killed below a shell", "sh -c 'kill -9 $$'; exit $?", "signal 9", syscall.SIGKILL},
		{"killed below Python", "exit 247", "signal 9", syscall.SIGKILL},
		{"crash", "kill -SEGV $$", "signal 11", syscall.SIGSEGV},
		{"half a file", "echo half > decode.flow.mlir; echo 'error: no space' >&2; exit 1", "exited with 1: error: no space", 0},
		{"garbage", "head -c 1000 /dev/zero | tr '\\0' '\\377'; exit 3", "exited with 3: \xff\xff", 0},
		{"nothing written", "exit 0", "no decode.flow.mlir was written", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := driver(t, c.script)
			_, err := d.Compile(t.Context(), jobs("decode"))
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "iree: decode: ") {
				t.Fatalf("got %v, want %q", err, c.want)
			}
			var e *Error
			if errors.As(err, &e) && e.Signal != c.signal || !errors.As(err, &e) && c.signal != 0 {
				t.Errorf("got %#v, want signal %d", e, c.signal)
			}
			logs, _ := filepath.Glob(filepath.Join(d.CacheDir, "logs", "decode-*.log"))
			if len(logs) != 1 || !strings.Contains(err.Error(), logs[0]) {
				t.Fatalf("logs: %v, error %v", logs, err)
			}
			if b, _ := os.ReadFile(logs[0]); !strings.HasPrefix(string(b), "cd ") || e != nil && e.Line != "" && !strings.Contains(string(b), strings.TrimSuffix(e.Line, "…")) {
				t.Errorf("log: %s", b)
			}
			if bad := leftovers(t, d.CacheDir); bad != nil {
				t.Errorf("left in the cache: %v", bad)
			}
		})
	}
}

// One that fails stops its siblings and their children; so does cancellation.
func TestCompileStops(t *testing.T) {
	slow := `case "$*" in *decode.mlir*) while [ ! -s "$(dirname "$0")/child" ]; do sleep 0.02; done; exit 1;; esac
echo $$ > "$(dirname "$0")/pid"
sleep 60 & echo $! > "$(dirname "$0")/child"
wait
`
	gone := func(t *testing.T, d *Driver) {
		t.Helper()
		for _, name := range []string{"pid", "child"} {
			var pid int
			b, err := os.ReadFile(filepath.Join(filepath.Dir(d.Path), name))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Sscan(string(b), &pid)
			deadline := time.Now().Add(5 * time.Second)
			for running(pid) {
				if time.Now().After(deadline) {
					t.Fatalf("%s %d still runs", name, pid)
				}
				time.Sleep(10 * time.Millisecond)
			}
		}
		if bad := leftovers(t, d.CacheDir); bad != nil {
			t.Errorf("left in the cache: %v", bad)
		}
	}
	t.Run("sibling", func(t *testing.T) {
		d := driver(t, slow)
		_, err := d.Compile(t.Context(), jobs("decode", "prefill_c16", "ragged_b4", "ragged_b8"))
		var e *Error
		if !errors.As(err, &e) || e.Module != "decode" {
			t.Errorf("got %v", err)
		}
		gone(t, d)
	})
	t.Run("cancelled", func(t *testing.T) {
		d := driver(t, slow)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			defer cancel()
			for ctx.Err() == nil {
				if b, _ := os.ReadFile(filepath.Join(filepath.Dir(d.Path), "child")); len(b) > 0 {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
		}()
		if _, err := d.Compile(ctx, jobs("prefill_c16")); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		gone(t, d)
	})
}

// running reports whether a process is there and not a zombie.
func running(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(b), ") Z ")
}

func TestJobs(t *testing.T) {
	for _, c := range []struct {
		asked, n        int
		available, each int64
		want            int
		note            bool
	}{
		{4, 6, 4 << 30, 1500 << 20, 2, true},
		{4, 6, 64 << 30, 1500 << 20, 4, false},
		{4, 2, 64 << 30, 1500 << 20, 2, false},
		{4, 6, 1 << 20, 1500 << 20, 1, true},
		{1, 6, 1 << 20, 1500 << 20, 1, false},
		{0, 1, math.MaxInt64, 1, 1, false},
	} {
		got, note := Jobs(c.asked, c.n, c.available, c.each)
		if got != c.want || (note != "") != c.note {
			t.Errorf("Jobs(%d, %d, %d MB, %d MB) = %d, %q, want %d", c.asked, c.n, c.available>>20, c.each>>20, got, note, c.want)
		}
	}
}

func TestAvailableMemory(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	meminfo := file("MemTotal: 33554432 kB\nMemAvailable:   16777216 kB\n")
	for _, c := range []struct {
		name string
		root fstest.MapFS
		want int64
	}{
		{"nothing known", fstest.MapFS{}, math.MaxInt64},
		{"no cgroup", fstest.MapFS{"proc/meminfo": meminfo}, 16 << 30},
		{"v2", fstest.MapFS{"proc/meminfo": meminfo, "proc/self/cgroup": file("0::/a/b\n"),
			"sys/fs/cgroup/a/b/memory.max": file("max\n"), "sys/fs/cgroup/a/b/memory.current": file("5\n"),
			"sys/fs/cgroup/a/memory.max": file("4294967296\n"), "sys/fs/cgroup/a/memory.current": file("2147483648\n"),
			"sys/fs/cgroup/a/memory.stat": file("anon 1073741824\nfile 1073741824\n")}, 3 << 30},
		{"v2, the host's path in a container", fstest.MapFS{"proc/meminfo": meminfo, "proc/self/cgroup": file("0::/docker/x\n"),
			"sys/fs/cgroup/memory.max": file("1073741824\n"), "sys/fs/cgroup/memory.current": file("0\n")}, 1 << 30},
		{"v1", fstest.MapFS{"proc/meminfo": meminfo, "proc/self/cgroup": file("5:cpu:/\n4:memory:/job\n0::/\n"),
			"sys/fs/cgroup/memory/job/memory.limit_in_bytes": file("2147483648\n"), "sys/fs/cgroup/memory/job/memory.usage_in_bytes": file("3221225472\n"),
			"sys/fs/cgroup/memory/job/memory.stat": file("total_cache 2147483648\n")}, 1 << 30},
		{"v1 without limit", fstest.MapFS{"proc/meminfo": meminfo, "proc/self/cgroup": file("4:memory:/\n"),
			"sys/fs/cgroup/memory/memory.limit_in_bytes": file("9223372036854771712\n"), "sys/fs/cgroup/memory/memory.usage_in_bytes": file("1\n")}, 16 << 30},
	} {
		if got := availableMemory(c.root); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	if n := AvailableMemory(); n < 64<<20 {
		t.Errorf("this machine: %d", n)
	}
}

// Same text, another folder: same vmfb.
func TestVMFBDoesNotDependOnTheCache(t *testing.T) {
	c := realCompiler(t)
	text := []byte("module @m {\n  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n    %0 = stablehlo.add %a, %a : tensor<4xf32>\n    return %0 : tensor<4xf32>\n  }\n}\n")
	var got [2][]byte
	for i := range got {
		d := &Driver{Compiler: c, CacheDir: t.TempDir(), Jobs: 1}
		r, err := d.Compile(t.Context(), []Job{{Name: "decode", Text: text,
			Flags: []string{"--iree-input-type=stablehlo", "--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu"}}})
		if err != nil {
			t.Fatal(err)
		}
		if got[i], err = os.ReadFile(r[0].Path); err != nil {
			t.Fatal(err)
		}
	}
	if len(got[0]) == 0 || !slices.Equal(got[0], got[1]) {
		t.Errorf("%d and %d bytes differ", len(got[0]), len(got[1]))
	}
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &usage); err != nil {
		t.Fatal(err)
	}
	if used, taken := usage.Maxrss<<10, JobMemory(len(text), runtime.GOMAXPROCS(0)); used < 50<<20 || used > taken {
		t.Errorf("iree-compile used %d MB, JobMemory says %d", used>>20, taken>>20)
	}
}
