package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path/filepath"
	"strings"
	"sync"

	"github.com/mlxc/mlxc/compiler/checkpoint"
	"github.com/mlxc/mlxc/compiler/checkpoint/rawfile"
)

// Options of Fetch.
type Options struct {
	Settings Settings
	CacheDir string // where what is got is kept
	Progress Progress
	// Preflight looks at what is known before the weights are got; its error ends Fetch.
	// May be nil.
	Preflight func(Preview) error

	pace     pace  // zero for the usual one
	partSize int64 // 0 for the usual one
}

// Progress hears how a download goes, from one goroutine at a time.
type Progress interface {
	Note(text string)
	Step(name string, done, total int64)
}

// Preview is a checkpoint before its weights are there.
type Preview struct {
	Dir          string // holds config.json and the other side files; "" for a GGUF
	Architecture string // of a GGUF, general.architecture; "" if the hub doesn't say
	Weights      int64  // bytes
	Cache        string // where they will lie
	Missing      int64  // bytes of them that aren't there yet
}

// Snapshot is a checkpoint that is there.
type Snapshot struct {
	Path string // the directory, or the .gguf or config.json in it
	Name string // of the model: the repository's, or the GGUF's
	// Source names the same bytes for ever: hf:ORG/NAME@COMMIT, with :FILE of a GGUF.
	Source string
}

// fetcher gets one checkpoint.
type fetcher struct {
	Options
	ref     Ref
	client  *client
	own, hf store
	listing Listing

	mu          sync.Mutex // of Progress, and of what follows
	done, total int64
}

// Fetch gets the checkpoint that ref names into the cache, unless it's there, and says
// where it is. Errors name the model.
func Fetch(ctx context.Context, ref Ref, o Options) (Snapshot, error) {
	if o.pace.attempts == 0 {
		o.pace = usual
	}
	if o.partSize == 0 {
		o.partSize = partSize
	}
	f := &fetcher{Options: o, ref: ref, own: storeOf(o.CacheDir, ref), hf: storeOf(o.Settings.HFCache, ref)}
	f.client = newClient(o.Settings, o.pace, f.note)
	defer f.client.close()
	s, err := f.fetch(ctx)
	if err != nil {
		return Snapshot{}, fmt.Errorf("%s: %w", ref, f.inWords(err))
	}
	return s, nil
}

func (f *fetcher) fetch(ctx context.Context) (s Snapshot, err error) {
	if f.listing, err = f.list(ctx); err != nil {
		return s, err
	}
	unlock, err := f.own.lock(ctx, func() { f.note(fmt.Sprintf("%s: waiting for another process that gets it", f.ref)) })
	if err != nil {
		return s, err
	}
	defer unlock()
	if !f.Settings.Offline {
		if err := f.own.keep(f.ref.Revision, f.listing); err != nil {
			return s, err
		}
	}
	c, note, err := choose(f.ref, f.listing, func(side File) ([]byte, error) { return f.read(ctx, side) })
	if err != nil {
		return s, err
	}
	if note != "" {
		f.note(note)
	}
	if err := f.get(ctx, c.side); err != nil {
		return s, err
	}
	if err := f.preflight(c); err != nil {
		return s, err
	}
	if err := f.get(ctx, c.weights); err != nil {
		return s, err
	}
	return f.snapshot(c), nil
}

// list finds out what the repository holds at the revision: from the hub, or from a
// cache if the revision is a commit whose listing is there, or if the hub mustn't be
// asked.
func (f *fetcher) list(ctx context.Context) (Listing, error) {
	if commitID.MatchString(f.ref.Revision) {
		if l, ok := f.own.readListing(f.ref.Revision); ok {
			return l, nil
		}
	}
	if f.Settings.Offline {
		return f.listOffline()
	}
	var l Listing
	err := f.client.retry(ctx, func() (_ bool, err error) {
		l, err = f.ask(ctx)
		return false, err
	})
	return l, err
}

// ask asks the hub.
func (f *fetcher) ask(ctx context.Context) (Listing, error) {
	address := f.client.address("api", "models", f.ref.Org, f.ref.Name, "revision", f.ref.Revision) + "?blobs=true"
	resp, err := f.client.get(ctx, request{address: address})
	if err != nil {
		return Listing{}, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxListing+1))
	if err != nil {
		return Listing{}, fmt.Errorf("the hub's answer: %w", err)
	}
	l, err := parseListing(data)
	if err != nil {
		return Listing{}, permanent(fmt.Errorf("the answer of %s: %w", place(resp.Request.URL), err))
	}
	if commitID.MatchString(f.ref.Revision) && l.Commit != f.ref.Revision {
		return Listing{}, permanent(fmt.Errorf("the answer of %s is of commit %s", place(resp.Request.URL), l.Commit))
	}
	return l, nil
}

func (f *fetcher) listOffline() (Listing, error) {
	for _, s := range []store{f.own, f.hf} {
		commit := s.commit(f.ref.Revision)
		if commit == "" {
			continue
		}
		if l, ok := s.readListing(commit); ok {
			return l, nil
		}
		if l := s.scan(commit); len(l.Files) > 0 {
			return l, nil
		}
	}
	return Listing{}, fmt.Errorf("HF_HUB_OFFLINE is set, and it is neither in %s nor in %s; unset it to ask the hub", f.own.dir, f.hf.dir)
}

// read gets a side file and reads it.
func (f *fetcher) read(ctx context.Context, side File) ([]byte, error) {
	if err := f.get(ctx, []File{side}); err != nil {
		return nil, err
	}
	return rawfile.Read(f.place(side), side.Size)
}

// place is a file's name in the snapshot.
func (f *fetcher) place(file File) string {
	return filepath.Join(f.own.snapshot(f.listing.Commit), filepath.FromSlash(file.Path))
}

func (f *fetcher) preflight(c choice) error {
	if f.Preflight == nil {
		return nil
	}
	p := Preview{Cache: f.own.dir}
	if len(c.side) > 0 {
		p.Dir = f.own.snapshot(f.listing.Commit)
	} else if onlyModels(f.listing) {
		p.Architecture = f.listing.Architecture
	}
	for _, w := range c.weights {
		p.Weights += w.Size
		if !f.own.has(w) && !f.hf.has(w) {
			p.Missing += w.Size - savedSpans(f.own.blob(w.Digest), w.Size).total()
		}
	}
	return f.Preflight(p)
}

func (f *fetcher) snapshot(c choice) Snapshot {
	pinned := f.ref
	pinned.Revision, pinned.File = f.listing.Commit, c.single
	s := Snapshot{Path: filepath.Join(f.own.snapshot(f.listing.Commit), filepath.FromSlash(c.single)), Name: f.ref.Name, Source: pinned.String()}
	if strings.HasSuffix(c.single, ".gguf") {
		s.Name = checkpoint.ModelName(c.single)
	}
	return s
}

// get gets those of the files that no cache has, and puts all into the snapshot.
func (f *fetcher) get(ctx context.Context, files []File) error {
	var missing []*download
	slots := make(chan struct{}, connections)
	needed := int64(0)
	asked := map[string]bool{} // two files may be the same
	for _, file := range files {
		if file.Digest == "" {
			return fmt.Errorf("%s has neither size nor digest in the server's listing (it must know ?blobs=true)", file.Path)
		}
		if f.own.has(file) || f.hf.has(file) || asked[file.Digest] {
			continue
		}
		asked[file.Digest] = true
		d := &download{
			c: f.client, file: file, commit: f.listing.Commit, path: f.own.blob(file.Digest), partSize: f.partSize, slots: slots, progress: f.step,
			address: f.client.address(append([]string{f.ref.Org, f.ref.Name, "resolve", f.listing.Commit}, strings.Split(file.Path, "/")...)...),
		}
		there := savedSpans(d.path, file.Size).total()
		needed += file.Size - there
		f.done, f.total = f.done+there, f.total+file.Size
		missing = append(missing, d)
	}
	if len(missing) > 0 {
		if f.Settings.Offline {
			return fmt.Errorf("HF_HUB_OFFLINE is set, and %s isn't in the cache; unset it to ask the hub", missing[0].file.Path)
		}
		if err := f.own.space(needed); err != nil {
			return err
		}
		if err := f.run(ctx, missing); err != nil {
			return err
		}
	}
	for _, file := range files {
		from := f.own
		if !from.has(file) {
			from = f.hf
		}
		if err := f.own.link(f.listing.Commit, file, from.blob(file.Digest)); err != nil {
			return err
		}
	}
	return nil
}

// filesAtOnce is how many files are got at the same time: while one's digest is
// checked the other keeps the connections busy.
const filesAtOnce = 2

// run runs downloads in their order.
func (f *fetcher) run(ctx context.Context, all []*download) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan *download, len(all))
	for _, d := range all {
		queue <- d
	}
	close(queue)
	var wg sync.WaitGroup
	for range filesAtOnce {
		wg.Go(func() {
			for d := range queue {
				if ctx.Err() != nil {
					return
				}
				if err := d.run(ctx); err != nil {
					cancel(err)
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// worthTelling is how many bytes take so long that people want to see them come.
const worthTelling = 1e6

// step tells that n more bytes are there.
func (f *fetcher) step(n int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.done += n
	if f.total > worthTelling {
		f.Progress.Step("download", f.done, f.total)
	}
}

func (f *fetcher) note(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Progress.Note(text)
}

// inWords says of a refusal what to do.
func (f *fetcher) inWords(err error) error {
	var s *statusError
	var file *fs.PathError
	switch {
	case errors.As(err, &awayError{}):
		return fmt.Errorf("%w; behind a proxy, set HTTPS_PROXY; offline, give a checkpoint's folder or .gguf file, or set HF_HUB_OFFLINE=1 to take what was got before", err)
	case errors.As(err, &file) && (strings.HasPrefix(file.Path, f.CacheDir) || strings.HasPrefix(f.CacheDir, file.Path)):
		return fmt.Errorf("%w; choose another cache folder with --cache-dir", err)
	case !errors.As(err, &s), s.Foreign:
		return err
	}
	page := f.Settings.Endpoint.Redacted() + "/" + f.ref.Repo()
	access := "set HF_TOKEN to a token that may read it (or log in with hf auth login)"
	if f.Settings.Token != "" {
		access = fmt.Sprintf("the token in %s must be one that may read it", f.Settings.TokenIn)
	}
	words := ""
	switch {
	case s.Code == "GatedRepo":
		words = fmt.Sprintf("it is gated: accept its conditions at %s, and %s", page, access)
	case s.Code == "RevisionNotFound":
		words = fmt.Sprintf("it has no branch, tag or commit %s: see %s/tree/main", f.ref.Revision, page)
	case s.Code == "EntryNotFound":
		words = "the hub lists a file that it doesn't have"
	case s.Code == "RepoNotFound", s.Status == http.StatusNotFound:
		words = fmt.Sprintf("there is no such model at %s; if it is private, %s", f.Settings.Endpoint.Redacted(), access)
	case s.Status == http.StatusUnauthorized, s.Status == http.StatusForbidden:
		words = fmt.Sprintf("the hub refuses it: there is no such model, or it isn't public: %s", access)
	default:
		return err
	}
	return fmt.Errorf("%s (%w)", words, err)
}
