package hub

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mlxc/mlxc/compiler/hub/hubtest"
)

const repo = "test/tiny-llama"

// noise is what weights look like.
var noise = func() []byte {
	data := make([]byte, 1_000_003)
	_, _ = rand.NewChaCha8([32]byte{}).Read(data) // it never fails
	return data
}()

// model are the files of a repository with more in it than a checkpoint needs.
func model() map[string][]byte {
	weights := noise
	return map[string][]byte{
		"config.json": []byte(`{"model_type": "llama"}`), "tokenizer.json": []byte("{}"), "generation_config.json": {},
		"model.safetensors": weights, "pytorch_model.bin": []byte("pickle"), "README.md": []byte("# tiny"), "onnx/model.onnx": []byte("onnx"),
		"additional_chat_templates/tools.jinja": []byte("{{ tools }}"), "original/model.safetensors": weights[:100],
	}
}

// needed are those of model's files that make the checkpoint.
var needed = []string{"additional_chat_templates/tools.jinja", "config.json", "generation_config.json", "model.safetensors", "tokenizer.json"}

// user is one who fetches.
type user struct {
	t        *testing.T
	s        *hubtest.Server
	settings Settings
	cache    string
	idle     time.Duration // 0 for a long one
	preview  func(Preview) error
	onStep   func(done, total int64)

	mu    sync.Mutex
	notes []string
	waits []time.Duration
}

func newUser(t *testing.T, files map[string][]byte) *user {
	s := hubtest.Serve(t, repo, files)
	at, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return &user{t: t, s: s, cache: t.TempDir(), settings: Settings{Endpoint: at, Token: hubtest.Token, TokenIn: "HF_TOKEN", HFCache: t.TempDir()}}
}

func (u *user) Note(text string) { u.notes = append(u.notes, text) }
func (u *user) Step(_ string, done, total int64) {
	if u.onStep != nil {
		u.onStep(done, total)
	}
}

// fetch fetches without patience. Whatever comes of it: the token is in no message and
// at no other server, and what has a final name is whole.
func (u *user) fetch(ctx context.Context, name string) (Snapshot, error) {
	u.t.Helper()
	ref, err := ParseRef(name)
	if err != nil {
		u.t.Fatal(err)
	}
	u.notes, u.waits = nil, nil
	idle := 10 * time.Minute // longer than a busy machine takes
	if u.idle != 0 {
		idle = u.idle
	}
	s, err := Fetch(ctx, ref, Options{
		Settings: u.settings, CacheDir: u.cache, Progress: u, Preflight: u.preview, partSize: 100_000,
		pace: pace{idle: idle, backoff: time.Second, longest: time.Minute, attempts: 5, wait: func(ctx context.Context, d time.Duration) error {
			u.mu.Lock()
			defer u.mu.Unlock()
			u.waits = append(u.waits, d)
			return ctx.Err()
		}},
	})
	if text := fmt.Sprint(err, u.notes); strings.Contains(text, hubtest.Token) || strings.Contains(text, "sEcReT") {
		u.t.Errorf("messages show secrets: %s", text)
	}
	if leaks := u.s.Leaks(); len(leaks) > 0 {
		u.t.Errorf("the token went to another server: %v", leaks)
	}
	for path := range u.s.Files {
		digest := u.s.Digest(path)
		if data, err := os.ReadFile(filepath.Join(u.store(), "blobs", digest)); err == nil && !bytes.Equal(data, u.s.Files[path]) {
			u.t.Errorf("%s is in its place, but isn't what it must be", path)
		}
	}
	return s, err
}

func (u *user) store() string { return storeOf(u.cache, Ref{Org: "test", Name: "tiny-llama"}).dir }

// check holds a snapshot against the server's files.
func (u *user) check(s Snapshot, want ...string) {
	u.t.Helper()
	var got []string
	for path, data := range contents(u.t, s.Path) {
		got = append(got, path)
		if !bytes.Equal(data, u.s.Files[path]) {
			u.t.Errorf("%s: %d bytes differ from the server's %d", path, len(data), len(u.s.Files[path]))
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		u.t.Errorf("files (-want +got):\n%s", diff)
	}
	left, _ := filepath.Glob(filepath.Join(u.store(), "blobs", "*.*"))
	if len(left) > 0 {
		u.t.Errorf("left behind: %v", left)
	}
}

// contents are a folder's files, links followed.
func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		files[rel], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestFetch(t *testing.T) {
	u := newUser(t, model())
	commit := u.s.Commit
	s, err := u.fetch(t.Context(), "hf:"+repo)
	if err != nil {
		t.Fatal(err)
	}
	u.check(s, needed...)
	want := Snapshot{Path: filepath.Join(u.store(), "snapshots", commit), Name: "tiny-llama", Source: "hf:test/tiny-llama@" + commit}
	if s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
	ranges := 0
	for _, r := range u.s.Requests() {
		if strings.Contains(r, "/model.safetensors bytes=") {
			ranges++
		}
		if strings.Contains(r, "bin") || strings.Contains(r, "onnx") || strings.Contains(r, "README") || strings.Contains(r, "original") {
			t.Errorf("asked for %s", r)
		}
	}
	if ranges != 2*11 { // at the hub and at the server of large files
		t.Errorf("%d requests for ranges", ranges)
	}

	for _, c := range []struct {
		name     string
		offline  bool
		requests int
	}{
		{"hf:test/tiny-llama", false, 1},
		{"hf:test/tiny-llama@main", true, 0},
		{"hf:test/tiny-llama@" + commit, false, 0},
		{"hf:test/tiny-llama@" + commit, true, 0},
		{"hf:test/tiny-llama@refs/pr/1", false, 1},
		{"hf:test/tiny-llama@refs/pr/1", true, 0},
	} {
		u.settings.Offline = c.offline
		again, err := u.fetch(t.Context(), c.name)
		if requests := u.s.Requests(); err != nil || again != s || len(requests) != c.requests {
			t.Errorf("%s again: %+v, %v, asked for %v", c.name, again, err, requests)
		}
		u.check(again, needed...)
	}
}

// A file is got once, though two repositories' commits or two names have it.
func TestFetchTwice(t *testing.T) {
	files := model()
	files["tokenizer_config.json"] = files["tokenizer.json"]
	u := newUser(t, files)
	if _, err := u.fetch(t.Context(), "hf:"+repo); err != nil {
		t.Fatal(err)
	}
	u.s.Requests()
	u.s.Commit = strings.Repeat("ab", 20)
	files["config.json"] = []byte(`{"model_type": "llama", "vocab_size": 3}`)
	s, err := u.fetch(t.Context(), "hf:"+repo)
	if err != nil {
		t.Fatal(err)
	}
	u.check(s, append(slices.Clone(needed), "tokenizer_config.json")...)
	if diff := cmp.Diff([]string{"/api/models/" + repo + "/revision/main", "/" + repo + "/resolve/" + u.s.Commit + "/config.json"}, u.s.Requests()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

// A part of a checkpoint: the config alone, a GGUF by its name or its quantisation.
func TestFetchFile(t *testing.T) {
	files := map[string][]byte{
		"config.json": []byte("{}"), "model.safetensors": []byte("weights"),
		"Tiny-Q4_K_M.gguf": []byte("q4"), "big/tiny-q8_0.gguf": []byte("q8"), "mmproj-Q4_K_M.gguf": []byte("projector"),
	}
	u := newUser(t, files)
	for _, c := range []struct{ ref, path, name string }{
		{"hf:test/tiny-llama:config.json", "config.json", "tiny-llama"},
		{"hf:test/tiny-llama:q4_k_m", "Tiny-Q4_K_M.gguf", "Tiny-Q4_K_M"},
		{"hf:test/tiny-llama@main:Q8_0", "big/tiny-q8_0.gguf", "tiny-q8_0"},
		{"hf:test/tiny-llama:big/tiny-q8_0.gguf", "big/tiny-q8_0.gguf", "tiny-q8_0"},
	} {
		s, err := u.fetch(t.Context(), c.ref)
		data, readErr := os.ReadFile(s.Path)
		if err != nil || readErr != nil || !bytes.Equal(data, files[c.path]) || s.Name != c.name || s.Source != "hf:test/tiny-llama@"+u.s.Commit+":"+c.path {
			t.Errorf("%s: %+v, %q, %v, %v", c.ref, s, data, err, readErr)
		}
	}
	for _, r := range u.s.Requests() {
		if strings.Contains(r, "safetensors") || strings.Contains(r, "mmproj") {
			t.Errorf("asked for %s", r)
		}
	}
}

// What is refused before the weights are got costs no weights.
func TestPreflight(t *testing.T) {
	u := newUser(t, model())
	var seen Preview
	u.preview = func(p Preview) error { seen = p; return errors.New("not this one") }
	_, err := u.fetch(t.Context(), "hf:"+repo)
	if err == nil || err.Error() != "hf:test/tiny-llama@main: not this one" {
		t.Errorf("%v", err)
	}
	if config, err := os.ReadFile(filepath.Join(seen.Dir, "config.json")); err != nil || !bytes.Equal(config, u.s.Files["config.json"]) || seen.Weights != 1_000_003 {
		t.Errorf("%+v, %q, %v", seen, config, err)
	}
	for _, r := range u.s.Requests() {
		if strings.Contains(r, "safetensors") {
			t.Errorf("asked for %s", r)
		}
	}
}

// What the hub says of a repository's GGUF files counts if all are models.
func TestPreflightGGUF(t *testing.T) {
	files := map[string][]byte{"m-Q4_0.gguf": []byte("model")}
	u := newUser(t, files)
	u.s.Architecture = "mamba"
	var seen Preview
	u.preview = func(p Preview) error { seen = p; return errors.New("enough") }
	for _, want := range []string{"mamba", ""} {
		if _, err := u.fetch(t.Context(), "hf:"+repo); err == nil || seen.Architecture != want || seen.Missing != 5 || seen.Weights != 5 {
			t.Errorf("%v, %+v; want architecture %q", err, seen, want)
		}
		files["mmproj-f16.gguf"] = []byte("projector")
	}
}

// An interrupted download leaves nothing at a final name, and the next asks for the
// rest alone.
func TestInterruption(t *testing.T) {
	u := newUser(t, model())
	weights := u.s.Files["model.safetensors"]
	path := filepath.Join(u.store(), "blobs", u.s.Digest("model.safetensors"))
	for _, after := range []int64{1, 150_000, 350_000} {
		ctx, cancel := context.WithCancel(t.Context())
		u.onStep = func(done, _ int64) {
			if done >= after {
				cancel()
			}
		}
		if _, err := u.fetch(ctx, "hf:"+repo); !errors.Is(err, context.Canceled) {
			t.Fatalf("interrupted after %d bytes: %v", after, err)
		}
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("interrupted after %d bytes: it is there: %v", after, err)
		}
	}
	saved := savedSpans(path, int64(len(weights)))
	if n := saved.total(); n < 350_000 || n >= int64(len(weights)) {
		t.Fatalf("%d bytes are saved", n)
	}
	fresh := newUser(t, u.s.Files) // whose server hears nothing late of what was interrupted
	fresh.cache = u.cache
	s, err := fresh.fetch(t.Context(), "hf:"+repo)
	if err != nil {
		t.Fatal(err)
	}
	fresh.check(s, needed...)
	asked := int64(0)
	for _, r := range fresh.s.Requests() {
		if _, text, ok := strings.Cut(r, "/model.safetensors bytes="); ok && !strings.Contains(r, "resolve") {
			var from, to int64
			if _, err := fmt.Sscanf(text, "%d-%d", &from, &to); err != nil {
				t.Fatal(err)
			}
			asked += to - from + 1
		}
	}
	if asked != int64(len(weights))-saved.total() {
		t.Errorf("asked for %d bytes, %d of %d were there", asked, saved.total(), len(weights))
	}
}

// A partial file that isn't what its journal says is found out, and got again.
func TestDamagedPart(t *testing.T) {
	u := newUser(t, model())
	size := int64(len(u.s.Files["model.safetensors"]))
	path := filepath.Join(u.store(), "blobs", u.s.Digest("model.safetensors"))
	for _, c := range []struct {
		name, journal string
		part          int64
	}{
		{"zeros said to be there", string(journalText(spans{{0, 500_000}}, size)), size},
		{"a short part", string(journalText(spans{{0, 500_000}}, size)), 500_000},
		{"a journal without end", journalHead(size) + "0 1000", size},
		{"another file's journal", journalHead(size-1) + "0 1000\n", size},
		{"a journal beyond the file", journalHead(size) + "0 99999999999\n", size},
		{"no journal", "", size},
	} {
		if err := os.RemoveAll(u.cache); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path+".journal", []byte(c.journal), 0o644), os.WriteFile(path+".part", make([]byte, c.part), 0o644)); err != nil {
			t.Fatal(err)
		}
		s, err := u.fetch(t.Context(), "hf:"+repo)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		u.check(s, needed...)
	}
}

// Processes that want the same at the same time get it once.
func TestTwoAtOnce(t *testing.T) {
	u := newUser(t, model())
	u.s.Misbehave(func(_ http.ResponseWriter, r *http.Request, large bool) bool {
		if large {
			time.Sleep(5 * time.Millisecond) // so that they meet
		}
		return false
	})
	const processes = 3
	var wg sync.WaitGroup
	for range processes {
		other := &user{t: t, s: u.s, settings: u.settings, cache: u.cache}
		wg.Go(func() {
			s, err := other.fetch(t.Context(), "hf:"+repo)
			if err != nil {
				t.Error(err)
				return
			}
			other.check(s, needed...)
		})
	}
	wg.Wait()
	listings, weights := 0, 0
	for _, r := range u.s.Requests() {
		if strings.HasPrefix(r, "/api/") {
			listings++
		} else if strings.HasPrefix(r, "/model.safetensors") {
			weights++
		}
	}
	if listings != processes || weights != 11 {
		t.Errorf("%d listings, %d parts of the weights", listings, weights)
	}
}

// Who waits for another process says so, once, and can be interrupted.
func TestWaiting(t *testing.T) {
	u := newUser(t, model())
	unlock, err := store{u.store()}.lock(t.Context(), func() { t.Error("nobody to wait for") })
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := u.fetch(ctx, "hf:"+repo); !errors.Is(err, context.DeadlineExceeded) || len(u.notes) != 1 || !strings.Contains(u.notes[0], "waiting for another process") {
		t.Errorf("%v, notes %q", err, u.notes)
	}
	unlock()
	if _, err := u.fetch(t.Context(), "hf:"+repo); err != nil {
		t.Error(err)
	}
}

// What HF's own library has got isn't got again, and its cache stays as it is.
func TestHFCache(t *testing.T) {
	u := newUser(t, model())
	theirs := storeOf(u.settings.HFCache, Ref{Org: "test", Name: "tiny-llama"})
	add := func(path string) {
		f := File{Path: path, Size: int64(len(u.s.Files[path])), Digest: u.s.Digest(path)}
		if err := errors.Join(os.MkdirAll(filepath.Join(theirs.dir, "blobs"), 0o755), os.WriteFile(theirs.blob(f.Digest), u.s.Files[path], 0o644), theirs.link(u.s.Commit, f, theirs.blob(f.Digest))); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"config.json", "tokenizer.json", "model.safetensors"} {
		add(path)
	}
	if err := replaceFile(theirs.ref("main"), []byte(u.s.Commit)); err != nil {
		t.Fatal(err)
	}
	before := contents(t, u.settings.HFCache)

	u.settings.Offline = true
	s, err := u.fetch(t.Context(), "hf:"+repo)
	if err != nil {
		t.Fatal(err)
	}
	u.check(s, "config.json", "model.safetensors", "tokenizer.json")
	u.settings.Offline = false
	if s, err = u.fetch(t.Context(), "hf:"+repo); err != nil {
		t.Fatal(err)
	}
	u.check(s, needed...)
	want := []string{"/additional_chat_templates/tools.jinja", "/generation_config.json"}
	for _, r := range u.s.Requests() {
		if _, path, ok := strings.Cut(r, "/resolve/"+u.s.Commit); ok && !slices.Contains(want, path) {
			t.Errorf("asked for %s", r)
		}
	}
	if after := contents(t, u.settings.HFCache); !maps.EqualFunc(before, after, bytes.Equal) {
		t.Errorf("HF's cache has changed: %v", slices.Sorted(maps.Keys(after)))
	}

	// Links to what HF's library has removed since are made anew.
	if err := os.RemoveAll(u.settings.HFCache); err != nil {
		t.Fatal(err)
	}
	if s, err = u.fetch(t.Context(), "hf:"+repo); err != nil {
		t.Fatal(err)
	}
	u.check(s, needed...)
}

// A snapshot's links are a listing: what is no content, and what leads nowhere, isn't.
func TestScan(t *testing.T) {
	s := store{t.TempDir()}
	file := func(path string, digit string) File {
		return File{Path: path, Size: 1, Digest: strings.Repeat(digit, 64)}
	}
	for _, f := range []File{file("q/x.gguf", "a"), file("q-old", "b"), file("gone", "c")} { // q/x.gguf is walked first, and sorts after q-old
		if err := errors.Join(s.link(sha, f, s.blob(f.Digest)), replaceFile(s.blob(f.Digest), []byte("x"))); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Remove(s.blob(file("", "c").Digest)), replaceFile(filepath.Join(s.snapshot(sha), "plain"), []byte("x")), os.Symlink("/etc/passwd", filepath.Join(s.snapshot(sha), "out"))); err != nil {
		t.Fatal(err)
	}
	want := Listing{Commit: sha, Files: []File{file("q-old", "b"), file("q/x.gguf", "a")}}
	if diff := cmp.Diff(want, s.scan(sha)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOffline(t *testing.T) {
	u := newUser(t, model())
	u.settings.Offline = true
	if _, err := u.fetch(t.Context(), "hf:"+repo); err == nil || !strings.Contains(err.Error(), "HF_HUB_OFFLINE is set, and it is neither in") {
		t.Errorf("%v", err)
	}
	u.settings.Offline = false
	u.preview = func(Preview) error { return errors.New("enough") }
	if _, err := u.fetch(t.Context(), "hf:"+repo); err == nil {
		t.Error("no error")
	}
	u.settings.Offline, u.preview = true, nil
	if _, err := u.fetch(t.Context(), "hf:"+repo); err == nil || !strings.Contains(err.Error(), "HF_HUB_OFFLINE is set, and model.safetensors isn't in the cache") {
		t.Errorf("%v", err)
	}
}
