package iree

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Job is one module to compile.
type Job struct {
	Name    string
	Text    []byte            // StableHLO
	Flags   []string          // of iree-compile
	Codegen []string          // more of them, of the last step alone, which generates code
	Files   map[string][]byte // that they name, by their base names
}

// Driver compiles modules, several at a time, into a cache: a folder per module
// text, flags with their files, and compiler version that holds <name>.mlir,
// <name>.vmfb and the latter's digest, and that appears at once, complete. An entry
// that is no longer what its digest says is compiled again; those long unused go.
type Driver struct {
	*Compiler
	CacheDir string // made if it isn't there
	Jobs     int    // compilers at the same time
	To       string // the compiler's phase to stop at, in place of a vmfb
	// Command, if not nil, is told each command line before it runs, and Done of each
	// module that is there: from several goroutines, one call at a time.
	Command func(line string)
	Done    func(Result)

	mu sync.Mutex // of Command and Done
}

// Result is a compiled module.
type Result struct {
	Job    Job
	Path   string // of what was made, in the cache
	Cached bool
	Took   time.Duration
}

// Error is a compiler that failed.
type Error struct {
	Module string
	Tool   string         // "iree-compile"
	Line   string         // the first error that it printed
	Log    string         // file with everything that it printed
	Signal syscall.Signal // that ended it, 0 if none
	Exit   int
}

func (e *Error) Error() string {
	if e.Signal != 0 {
		return fmt.Sprintf("iree: %s: %s was ended by signal %d (%v), most likely for want of memory: run fewer compilers at the same time with a lower --jobs; its output is in %s", e.Module, e.Tool, e.Signal, e.Signal, e.Log)
	}
	return fmt.Sprintf("iree: %s: %s exited with %d: %s; the whole output is in %s", e.Module, e.Tool, e.Exit, e.Line, e.Log)
}

// Compile compiles all jobs, at most d.Jobs at the same time, and returns the
// results in their order. The first failure stops the others.
func (d *Driver) Compile(ctx context.Context, jobs []Job) ([]Result, error) {
	prune(d.CacheDir, time.Now(), cacheLimit)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results := make([]Result, len(jobs))
	next := make(chan int, len(jobs))
	for i := range jobs {
		next <- i
	}
	close(next)
	var wg sync.WaitGroup
	for range max(1, d.Jobs) {
		wg.Go(func() {
			for i := range next {
				if ctx.Err() != nil {
					return
				}
				r, err := d.compile(ctx, jobs[i])
				if err != nil {
					cancel(err)
					return
				}
				results[i] = r
				if d.Done != nil {
					d.mu.Lock()
					d.Done(r)
					d.mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return results, nil
}

// compile compiles one job unless the cache has it.
func (d *Driver) compile(ctx context.Context, j Job) (Result, error) {
	start := time.Now()
	entry := filepath.Join(d.CacheDir, d.key(j))
	r := Result{Job: j, Path: filepath.Join(entry, d.result(j))}
	if d.Command != nil {
		d.mu.Lock()
		d.Command(d.line(entry, j))
		d.mu.Unlock()
	}
	if intact(r.Path) {
		touch(entry)
		r.Cached = true
		return r, nil
	}
	if err := os.MkdirAll(d.CacheDir, 0o777); err != nil {
		return r, fmt.Errorf("iree: compile cache: %w; choose another folder with --cache-dir", err)
	}
	work, err := os.MkdirTemp(d.CacheDir, unfinished)
	if err != nil {
		return r, fmt.Errorf("iree: compile cache: %w; choose another folder with --cache-dir", err)
	}
	defer os.RemoveAll(work)
	if release, err := hold(work); err == nil { // else its age alone keeps it, see prune
		defer release()
	}
	if err := d.run(ctx, work, j); err != nil {
		return r, err
	}
	if err := seal(filepath.Join(work, d.result(j))); err != nil {
		return r, fmt.Errorf("iree: compile cache: %w", err)
	}
	if err := publish(work, entry, r.Path); err != nil {
		return r, fmt.Errorf("iree: compile cache: %w", err)
	}
	r.Took = time.Since(start)
	return r, nil
}

// key names the cache entry of a job.
func (d *Driver) key(j Job) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q\n", d.Version, j.Name)
	for _, s := range d.steps(j) {
		fmt.Fprintf(h, "%q\n", s.args)
	}
	for _, name := range slices.Sorted(maps.Keys(j.Files)) {
		fmt.Fprintf(h, "%q %q\n", name, j.Files[name])
	}
	h.Write(j.Text)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// line is a command line that does again in a shell what compile does.
func (d *Driver) line(entry string, j Job) string {
	words := []string{"cd", quote(entry)}
	for _, s := range d.steps(j) {
		words = append(words, s.words()...)
	}
	return strings.Join(words, " ")
}

var plain = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

func quote(word string) string {
	if plain.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// run runs the compiler in the folder work, so that the vmfb, which names its source
// file, doesn't depend on where the cache is.
func (d *Driver) run(ctx context.Context, work string, j Job) error {
	if err := os.WriteFile(filepath.Join(work, j.Name+".mlir"), j.Text, 0o666); err != nil {
		return fmt.Errorf("iree: %w", err)
	}
	for name, text := range j.Files {
		if err := os.WriteFile(filepath.Join(work, name), text, 0o666); err != nil {
			return fmt.Errorf("iree: %w", err)
		}
	}
	logPath := filepath.Join(work, j.Name+".log")
	log, err := os.Create(logPath)
	if err != nil {
		return fmt.Errorf("iree: %w", err)
	}
	defer log.Close()
	fmt.Fprintln(log, d.line(filepath.Join(d.CacheDir, d.key(j)), j))
	steps := d.steps(j)
	for _, s := range steps {
		err := s.run(ctx, work, log)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return d.failure(j, s, err, logPath)
		}
	}
	log.Close()
	for _, scrap := range []string{logPath, filepath.Join(work, steps[0].output), filepath.Join(work, steps[1].output)} {
		if err := os.Remove(scrap); err != nil {
			return fmt.Errorf("iree: %w", err)
		}
	}
	return nil
}

// failure keeps the log and says what happened.
func (d *Driver) failure(j Job, s step, err error, logPath string) error {
	out, readErr := beginning(logPath)
	kept := filepath.Join(d.CacheDir, "logs", j.Name+"-"+d.key(j)+".log")
	if e := os.MkdirAll(filepath.Dir(kept), 0o777); e != nil || readErr != nil || os.Rename(logPath, kept) != nil {
		kept = "no file: " + filepath.Dir(kept) + " cannot be written"
	}
	e := &Error{Module: j.Name, Tool: filepath.Base(s.tool), Log: kept}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return fmt.Errorf("iree: %s: %s: %w; the whole output is in %s", j.Name, s.tool, err, kept)
	}
	_, printed, _ := strings.Cut(string(out), "\n") // the first line is the command
	e.Line = firstError([]byte(printed))
	e.Exit = exit.ExitCode()
	e.Signal = signalOf(exit)
	return e
}

// maxLog is how much of a log is looked at: flags that dump the program at each pass
// make gigabytes.
const maxLog = 16 << 20

func beginning(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxLog))
}

// signalOf is the signal that ended a process or, as the exit codes of wrapper
// scripts tell it (shell: 128+n, Python: 256-n), its child.
func signalOf(exit *exec.ExitError) syscall.Signal {
	if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return ws.Signal()
	}
	for _, s := range []syscall.Signal{syscall.SIGKILL, syscall.SIGSEGV, syscall.SIGABRT, syscall.SIGBUS, syscall.SIGTERM} {
		if c := exit.ExitCode(); c == 128+int(s) || c == 256-int(s) {
			return s
		}
	}
	return 0
}

// firstError is the first line of a compiler's output that tells an error, else the
// first line.
func firstError(out []byte) string {
	for line := range bytes.Lines(out) {
		if bytes.Contains(line, []byte("error:")) {
			return firstLine(line)
		}
	}
	return firstLine(out)
}

// seal writes the digest of a finished vmfb beside it, for intact.
func seal(vmfb string) error {
	data, err := os.ReadFile(vmfb)
	if err != nil {
		return err
	}
	return os.WriteFile(vmfb+".sha256", []byte(digest(data)), 0o666)
}

// intact reports whether the cache holds a vmfb as it was sealed: a disk or a user
// may have damaged it since.
func intact(vmfb string) bool {
	want, err := os.ReadFile(vmfb + ".sha256")
	if err != nil {
		return false
	}
	data, err := os.ReadFile(vmfb)
	return err == nil && digest(data) == string(want)
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// publish makes the finished folder work durable and moves it to entry. If another
// process was faster, its entry stands.
func publish(work, entry, vmfb string) error {
	f, err := os.OpenFile(filepath.Join(work, filepath.Base(vmfb)), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		return err
	}
	err = os.Rename(work, entry)
	if err == nil || intact(vmfb) {
		return nil
	}
	if err := os.RemoveAll(entry); err != nil { // what stands there is damaged
		return err
	}
	return os.Rename(work, entry)
}
