package hub

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"sync"
)

// layout of a download. The names are variables of a download for tests alone.
const (
	partSize    = 64 << 20 // bytes of a request; a large file takes several at the same time
	journalStep = 1 << 20  // bytes after which a part is written down as done
	bufferSize  = 256 << 10
	// progressSize is what an attempt must have brought to count as progress.
	progressSize = 64 << 10
	// maxRestarts of a file whose content turned out to be another.
	maxRestarts = 2
)

// download gets one file into a store. Bytes go to their places in DIGEST.part, and
// DIGEST.journal says which are there, so that another process can go on. Only what is
// whole and has the right digest gets its final name.
type download struct {
	c        *client
	file     File
	commit   string
	address  string
	path     string // final; .part and .journal are beside it
	partSize int64
	slots    chan struct{} // one for each connection
	progress func(n int64) // bytes that have come, or that were of no use

	out     *os.File
	mu      sync.Mutex // guards what follows
	journal *os.File
	done    spans
	etags   map[string]string // by server
}

// errAnother says that the bytes that are there belong to another content.
type errAnother struct{ error }

// run gets the file. After an error what has come so far stays for the next run.
func (d *download) run(ctx context.Context) error {
	for restart := 0; ; restart++ {
		err := d.attempt(ctx)
		var another errAnother
		if err == nil || !errors.As(err, &another) {
			return err
		}
		if err := d.forget(); err != nil {
			return err
		}
		if restart == maxRestarts {
			return fmt.Errorf("%s: %w; got it %d times", d.file.Path, err, restart+1)
		}
		d.c.note(fmt.Sprintf("%s: %v; getting it again", d.file.Path, err))
	}
}

// attempt gets what is missing, checks the digest and gives the file its name.
func (d *download) attempt(ctx context.Context) error {
	if err := d.open(); err != nil {
		return err
	}
	err := d.parts(ctx)
	if err == nil {
		err = d.check(ctx)
	}
	if err == nil {
		err = d.out.Sync()
	}
	if err := errors.Join(err, d.out.Close(), d.journal.Close()); err != nil {
		return err
	}
	if err := os.Rename(d.path+".part", d.path); err != nil {
		return err
	}
	return os.Remove(d.path + ".journal")
}

// open opens the partial file and its journal, or begins them.
func (d *download) open() (err error) {
	if d.out, err = os.OpenFile(d.path+".part", os.O_CREATE|os.O_RDWR, 0o644); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			d.out.Close()
		}
	}()
	d.done, d.etags = savedSpans(d.path, d.file.Size), map[string]string{}
	if err := d.out.Truncate(d.file.Size); err != nil {
		return err
	}
	if err := replaceFile(d.path+".journal", journalText(d.done, d.file.Size)); err != nil {
		return err
	}
	d.journal, err = os.OpenFile(d.path+".journal", os.O_WRONLY|os.O_APPEND, 0)
	return err
}

// savedSpans are the bytes of a partial file that its journal vouches for.
func savedSpans(path string, size int64) spans {
	info, err := os.Stat(path + ".part")
	if err != nil || info.Size() != size {
		return nil
	}
	f, err := os.Open(path + ".journal")
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxJournal))
	if err != nil {
		return nil
	}
	return parseJournal(data, size)
}

// forget drops what has come, after attempt has closed it.
func (d *download) forget() error {
	d.progress(-d.done.total())
	d.done = nil
	for _, name := range []string{d.path + ".journal", d.path + ".part"} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// parts gets what is missing. The first request tells whether the server knows ranges:
// if so, others join in; if not, its answer is the whole file.
func (d *download) parts(ctx context.Context) error {
	missing := d.done.missing(d.file.Size, d.partSize)
	if len(missing) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	get := func(s span, ranges func(bool)) {
		wg.Go(func() {
			if err := d.part(ctx, s, ranges); err != nil {
				cancel(err)
			}
		})
	}
	known := make(chan bool, 1)
	var once sync.Once
	say := func(ranges bool) { once.Do(func() { known <- ranges }) }
	get(missing[0], say)
	select {
	case ranges := <-known:
		if ranges {
			for _, s := range missing[1:] {
				get(s, func(bool) {})
			}
		}
	case <-ctx.Done():
	}
	wg.Wait()
	return context.Cause(ctx)
}

// part gets a range, in as many attempts as it takes. It calls ranges at each answer;
// at false it goes on to the file's end.
func (d *download) part(ctx context.Context, s span, ranges func(bool)) error {
	select {
	case d.slots <- struct{}{}:
		defer func() { <-d.slots }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return d.c.retry(ctx, func() (bool, error) {
		from := s.From
		err := d.request(ctx, &s, ranges)
		return s.From-from >= progressSize, err
	})
}

// request asks for what is left of a range once, and moves its beginning to what has
// come.
func (d *download) request(ctx context.Context, s *span, ranges func(bool)) error {
	whole := *s == span{0, d.file.Size}
	header := func(host string) http.Header {
		h := http.Header{}
		if !whole {
			h.Set("Range", fmt.Sprintf("bytes=%d-%d", s.From, s.To-1))
			if etag := d.etag(host); etag != "" {
				h.Set("If-Range", etag)
			}
		}
		return h
	}
	resp, err := d.c.get(ctx, request{address: d.address, header: header, look: d.look})
	if err != nil {
		return d.explained(err)
	}
	defer resp.Body.Close()
	if err := d.checkAnswer(resp, *s); err != nil {
		return err
	}
	partial := resp.StatusCode == http.StatusPartialContent
	ranges(partial || whole)
	if !partial {
		if _, err := io.CopyN(io.Discard, resp.Body, s.From); err != nil {
			return d.short(err)
		}
		s.To = d.file.Size
	}
	return d.receive(resp.Body, s)
}

// receive writes a body to its place.
func (d *download) receive(body io.Reader, s *span) (err error) {
	written := s.From // up to which the journal knows
	record := func() error {
		err := d.record(span{written, s.From})
		written = s.From
		return err
	}
	defer func() { err = errors.Join(err, record()) }()
	buffer := make([]byte, bufferSize)
	for s.From < s.To {
		n, err := body.Read(buffer[:min(int64(len(buffer)), s.To-s.From)])
		if n > 0 {
			if _, err := d.out.WriteAt(buffer[:n], s.From); err != nil {
				return permanent(err)
			}
			s.From += int64(n)
			if s.From-written >= journalStep {
				if err := record(); err != nil {
					return err
				}
			}
		}
		if err != nil && s.From < s.To {
			return d.short(err)
		}
	}
	return nil
}

// record notes a range as done.
func (d *download) record(s span) error {
	if s.From >= s.To {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	before := d.done.total()
	d.done = d.done.add(s)
	d.progress(d.done.total() - before)
	if _, err := fmt.Fprintf(d.journal, "%d %d\n", s.From, s.To); err != nil {
		return permanent(err)
	}
	return nil
}

func (d *download) short(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the connection ended early")
	}
	return fmt.Errorf("%s: %w", d.file.Path, err)
}

// look holds the hub's own answers against the listing.
func (d *download) look(resp *http.Response) error {
	if commit := resp.Header.Get("X-Repo-Commit"); commit != "" && commit != d.commit {
		return permanent(fmt.Errorf("%s: the server answers with commit %.60q, asked for was %s", d.file.Path, commit, d.commit))
	}
	if etag := resp.Header.Get("X-Linked-Etag"); etag != "" && strings.Trim(strings.TrimPrefix(etag, "W/"), `"`) != d.file.Digest {
		return permanent(fmt.Errorf("%s: the server has the digest %.80q, listed was %s", d.file.Path, etag, d.file.Digest))
	}
	if size := resp.Header.Get("X-Linked-Size"); size != "" && size != fmt.Sprint(d.file.Size) {
		return permanent(fmt.Errorf("%s: the server has %.30q bytes, listed were %d", d.file.Path, size, d.file.Size))
	}
	return nil
}

// checkAnswer holds an answer against the request, and against earlier answers of the
// same server.
func (d *download) checkAnswer(resp *http.Response, s span) error {
	if coding := resp.Header.Get("Content-Encoding"); coding != "" && coding != "identity" {
		return fmt.Errorf("%s: the server has encoded it as %.30q, which wasn't asked for", d.file.Path, coding)
	}
	if etag, ok := strings.CutPrefix(resp.Header.Get("ETag"), `"`); ok { // a weak one says nothing of bytes
		etag = `"` + etag
		if old := d.setEtag(resp.Request.URL.Host, etag); old != etag {
			return permanent(errAnother{fmt.Errorf("it has changed while it was read (ETag %.80s, then %.80s)", old, etag)})
		}
	}
	if resp.StatusCode == http.StatusOK {
		if n := resp.ContentLength; n >= 0 && n != d.file.Size {
			return fmt.Errorf("%s: the server sends %d bytes of %.40q, listed were %d", d.file.Path, n, resp.Header.Get("Content-Type"), d.file.Size)
		}
		return nil
	}
	var from, to, size int64
	if _, err := fmt.Sscanf(resp.Header.Get("Content-Range"), "bytes %d-%d/%d", &from, &to, &size); err != nil || from != s.From || to < from || to >= s.To || size != d.file.Size {
		return fmt.Errorf("%s: the server sends the range %.80q, asked for were bytes %d-%d of %d", d.file.Path, resp.Header.Get("Content-Range"), s.From, s.To-1, d.file.Size)
	}
	return nil
}

func (d *download) etag(host string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.etags[host]
}

// setEtag returns the first ETag of a server.
func (d *download) setEtag(host, etag string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.etags[host] == "" {
		d.etags[host] = etag
	}
	return d.etags[host]
}

// explained says of a refusal what it means for the file.
func (d *download) explained(err error) error {
	var s *statusError
	if errors.As(err, &s) && s.Status == http.StatusRequestedRangeNotSatisfiable && s.Total >= 0 && s.Total != d.file.Size {
		return permanent(fmt.Errorf("%s: the server has %d bytes, listed were %d", d.file.Path, s.Total, d.file.Size))
	}
	return err
}

// check compares the digest of what has come with the listed one.
func (d *download) check(ctx context.Context) error {
	var sum hash.Hash
	if len(d.file.Digest) == sha256.Size*2 {
		sum = sha256.New()
	} else {
		sum = sha1.New()
		fmt.Fprintf(sum, "blob %d\x00", d.file.Size)
	}
	in := io.NewSectionReader(d.out, 0, d.file.Size)
	buffer := make([]byte, 4*bufferSize)
	for {
		n, err := in.Read(buffer)
		sum.Write(buffer[:n])
		if err == io.EOF {
			break
		}
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != d.file.Digest {
		return errAnother{fmt.Errorf("its digest is %s, listed was %s", got, d.file.Digest)}
	}
	return nil
}
