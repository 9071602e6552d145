package hub

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mlxc/mlxc/compiler/hub/hubtest"
)

// fault is what a server does instead of what it should, at its n-th request of the
// kind, from 0. It returns false where it behaves.
type fault func(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool

// Kinds of requests.
const (
	listing = "listing"
	config  = "config.json" // a small file
	resolve = "resolve"     // the hub's answer on the weights
	weights = "weights"     // at the server of large files
)

// kind is what a request asks for; "" for the rest.
func kind(r *http.Request, large bool) string {
	switch {
	case large:
		return weights
	case strings.HasPrefix(r.URL.Path, "/api/"):
		return listing
	case strings.HasSuffix(r.URL.Path, "model.safetensors"):
		return resolve
	case strings.HasSuffix(r.URL.Path, "/"+config):
		return config
	}
	return ""
}

// serve makes the server of u misbehave at one kind of request.
func (u *user) serve(where string, f fault) {
	var mu sync.Mutex
	n := 0
	u.s.Misbehave(func(w http.ResponseWriter, r *http.Request, large bool) bool {
		if kind(r, large) != where {
			return false
		}
		mu.Lock()
		now := n
		n++
		mu.Unlock()
		return f(u.s, now, w, r)
	})
}

// status answers the first requests with a status.
func status(code, times int, header ...string) fault {
	return func(_ *hubtest.Server, n int, w http.ResponseWriter, _ *http.Request) bool {
		if n >= times {
			return false
		}
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		return true
	}
}

// cut drops connections after so many bytes of the body; -1 is after all.
func cut(after ...int) fault {
	return func(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool {
		if n >= len(after) {
			return false
		}
		hubtest.Cut(w, after[n], func(w http.ResponseWriter) { s.Content(w, r, filepath.Base(r.URL.Path)) })
		return true
	}
}

// ignoreRange answers each request with the whole file.
func ignoreRange(s *hubtest.Server, _ int, w http.ResponseWriter, r *http.Request) bool {
	r.Header.Del("Range")
	return false
}

// body answers with these bytes as if they were the whole.
func body(data []byte) fault {
	return func(_ *hubtest.Server, _ int, w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		_, _ = w.Write(data) // the client may have gone
		return true
	}
}

// corrupt answers with bytes of the right number, one of them wrong, the first times.
func corrupt(times int) fault {
	return func(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool {
		if n >= times {
			return false
		}
		bad := &hubtest.Server{Files: maps.Clone(s.Files)}
		path := filepath.Base(r.URL.Path)
		bad.Files[path] = slices.Clone(bad.Files[path])
		bad.Files[path][0] ^= 1
		w.Header().Set("ETag", `"`+s.Digest(path)+`"`)
		http.ServeContent(w, r, path, time.Time{}, bytes.NewReader(bad.Files[path]))
		return true
	}
}

// stall says nothing until the client goes, after some bytes of the body.
func stall(times, after int) fault {
	return func(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool {
		if n >= times {
			return false
		}
		if after > 0 {
			s.Content(&slow{ResponseWriter: w, left: after, then: r.Context().Done()}, r, filepath.Base(r.URL.Path))
		}
		<-r.Context().Done()
		return true
	}
}

// slow writes some bytes, and goes on when then is closed.
type slow struct {
	http.ResponseWriter
	left int
	then <-chan struct{}
}

func (s *slow) Write(p []byte) (int, error) {
	n, err := s.ResponseWriter.Write(p[:min(len(p), s.left)])
	if s.left -= n; s.left == 0 {
		_ = http.NewResponseController(s.ResponseWriter).Flush()
		<-s.then
	}
	return n, err
}

// drip sends a few bytes at a time, with pauses shorter than the client's patience.
func drip(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool {
	if n > 0 {
		return false
	}
	s.Content(dripping{w}, r, filepath.Base(r.URL.Path))
	return true
}

type dripping struct{ http.ResponseWriter }

func (d dripping) Write(p []byte) (n int, err error) {
	for chunk := range slices.Chunk(p, 10_000) {
		m, err := d.ResponseWriter.Write(chunk)
		if n += m; err != nil {
			return n, err
		}
		_ = http.NewResponseController(d.ResponseWriter).Flush()
		time.Sleep(20 * time.Millisecond)
	}
	return n, nil
}

// redirect sends the client on; a part of the address may be the request's own path.
func redirect(to string) fault {
	return func(s *hubtest.Server, _ int, w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Location", strings.ReplaceAll(to, "PATH", r.URL.Path))
		w.WriteHeader(http.StatusTemporaryRedirect)
		return true
	}
}

// TestMisbehaving: what a server may do, and what comes of it. Whatever that is, fetch
// has looked that nothing wrong has a final name, and that the token stayed with us.
func TestMisbehaving(t *testing.T) {
	size := len(model()["model.safetensors"])
	for _, c := range []struct {
		name  string
		at    string
		fault fault
		want  string // of the error; "" for none
		waits int    // attempts that were made again, at least
	}{
		{"connections drop at random places", weights, cut(0, 1, 99_999, 12_345, 65_536, 77), "", 3},
		{"every connection drops at once", weights, cut(make([]int, 1000)...), "model.safetensors: the connection ended early (after 5 attempts)", 4},
		{"a small file drops", config, cut(0, 3, 1), "", 3},
		{"ranges are ignored", weights, ignoreRange, "", 0},
		{"ranges are ignored, and connections drop", weights, func(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool {
			r.Header.Del("Range")
			return cut(100_000, 300_001, 200_000)(s, n, w, r)
		}, "", 3},
		{"a server forgets ranges on the way", weights, func(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool {
			if n%3 == 2 {
				r.Header.Del("Range")
			}
			return false
		}, "", 0},
		{"another range than that asked for", weights, func(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool {
			r.Header.Set("Range", "bytes=10-19")
			return false
		}, `model.safetensors: the server sends the range "bytes 10-19/1000003", asked for were bytes 0-99999 of 1000003`, 4},
		{"shorter ranges than those asked for", weights, func(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool {
			var from, to int
			fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to)
			r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", from, min(to, from+69_999)))
			return false
		}, "", 10},
		{"too short a body", weights, body(make([]byte, size-1)), `the server sends 1000002 bytes of "application/octet-stream", listed were 1000003`, 4},
		{"too long a body", weights, body(make([]byte, size+1)), "the server sends 1000004 bytes", 4},
		{"too long a body, of unknown length", config, func(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool {
			_ = http.NewResponseController(w).Flush()
			_, _ = w.Write(append(slices.Clone(s.Files["config.json"]), "and more"...))
			return true
		}, "", 0}, // what is more isn't read
		{"a login page", weights, body([]byte("<!doctype html><p>Welcome to the airport's network")), `the server sends 50 bytes of "text/html; charset=utf-8", listed were 1000003`, 4},
		{"a wrong Content-Length", weights, func(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool {
			if n > 2 {
				return false
			}
			w.Header().Set("Content-Length", fmt.Sprint(size))
			_, _ = w.Write(s.Files["model.safetensors"][:1000])
			return true
		}, "", 3},
		{"compression that wasn't asked for", config, func(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Encoding", "gzip")
			return false
		}, `config.json: the server has encoded it as "gzip", which wasn't asked for`, 4},
		{"a wrong byte, once", weights, corrupt(1), "", 0},
		{"a wrong byte, always", weights, corrupt(1000), "model.safetensors: its digest is ", 0},
		{"a wrong byte of a small file", config, corrupt(1000), "config.json: its digest is ", 0},
		{"the file changes between parts", weights, func(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool {
			if n > 2 {
				return false
			}
			w.Header().Set("ETag", `"older"`)
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(make([]byte, size)))
			return true
		}, "", 0},
		{"the file changes all the time", weights, func(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("ETag", fmt.Sprintf(`"v%d"`, n))
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(make([]byte, size)))
			return true
		}, "it has changed while it was read", 0},
		{"429 with Retry-After", listing, status(429, 2, "Retry-After", "7"), "", 2},
		{"429 with a date far away", weights, status(429, 9, "Retry-After", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)), "; try again then)", 0},
		{"429 with RateLimit", config, status(429, 3, "RateLimit", `"resolvers";r=0;t=55`), "", 3},
		{"503 with Retry-After", weights, status(503, 4, "Retry-After", "1"), "", 4},
		{"500 for a while", listing, status(500, 4), "", 4},
		{"500 for ever", listing, status(500, 1000), "/api/models/test/tiny-llama/revision/main: 500 Internal Server Error (after 5 attempts)", 4},
		{"502 of large files", weights, status(502, 4), "", 4},
		{"a signed address that has run out", weights, status(403, 2), "", 2},
		{"416 of the right length", weights, status(416, 2, "Content-Range", fmt.Sprintf("bytes */%d", size)), "", 2},
		{"416 of another length", weights, status(416, 1000, "Content-Range", "bytes */5"), "model.safetensors: the server has 5 bytes, listed were 1000003", 0},
		{"silence instead of a listing", listing, stall(2, 0), "", 2},
		{"silence in the midst of weights", weights, stall(3, 70_000), "", 3},
		{"silence for ever", config, stall(1000, 0), "the server has sent nothing for a while (after 5 attempts)", 4},
		{"few bytes at a time", weights, drip, "", 0},
		{"redirects in a circle", resolve, redirect("PATH"), "more than 10 redirects", 0},
		{"a redirect to a file of this machine", resolve, redirect("file:///etc/passwd"), "redirects to file://, which isn't secure", 0},
		{"a relative redirect", listing, func(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool {
			return r.URL.RawQuery != "moved" && redirect("PATH?moved")(s, n, w, r)
		}, "", 0},
		{"a redirect without address", config, status(302, 1000), "config.json: 302 Found", 0},
		{"another commit", config, func(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("X-Repo-Commit", strings.Repeat("0", 40))
			_, _ = w.Write(s.Files["config.json"])
			return true
		}, "config.json: the server answers with commit \"000", 0},
		{"another digest", resolve, func(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("X-Linked-Etag", `"abc"`)
			w.WriteHeader(http.StatusFound)
			return true
		}, `model.safetensors: the server has the digest "\"abc\"", listed was `, 0},
		{"another size", resolve, func(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("X-Linked-Size", "5")
			w.WriteHeader(http.StatusFound)
			return true
		}, `model.safetensors: the server has "5" bytes, listed were 1000003`, 0},
		{"a huge listing", listing, body(bytes.Repeat([]byte(" "), maxListing+1)), "/api/models/test/tiny-llama/revision/main: 33554433 bytes, at most 33554432 are allowed", 0},
		{"no listing", listing, body([]byte("<html>")), "not the JSON of a repository: ", 0},
		{"the listing of another commit", listing, func(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool {
			fmt.Fprintf(w, `{"sha": "%040d"}`, 0)
			return true
		}, "/revision/COMMIT is of commit 0000000000000000000000000000000000000000", 0},
		{"a listing without digests", listing, func(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool {
			fmt.Fprintf(w, `{"sha": "%s", "siblings": [{"rfilename": "config.json"}, {"rfilename": "model.safetensors"}]}`, s.Commit)
			return true
		}, "config.json has neither size nor digest in the server's listing (it must know ?blobs=true)", 0},
		{"a file larger than any disk", listing, func(s *hubtest.Server, n int, w http.ResponseWriter, r *http.Request) bool {
			fmt.Fprintf(w, `{"sha": "%s", "siblings": [{"rfilename": "model.gguf", "size": %d, "lfs": {"sha256": "%064d", "size": %d}}]}`, s.Commit, maxSize, 0, maxSize)
			return true
		}, "not enough disk space: 70368744.2 MB needed, ", 0},
		{"huge headers", listing, func(_ *hubtest.Server, n int, w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("X-Error-Message", strings.Repeat("x", 1<<17))
			return false
		}, "server response headers exceeded", 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := newUser(t, model())
			u.serve(c.at, c.fault)
			if strings.HasPrefix(c.name, "silence") || strings.HasPrefix(c.name, "few bytes") {
				u.idle = 250 * time.Millisecond
			}
			name, c := "hf:"+repo, c
			if strings.Contains(c.want, "COMMIT") {
				name, c.want = name+"@"+u.s.Commit, strings.ReplaceAll(c.want, "COMMIT", u.s.Commit)
			}
			s, err := u.fetch(t.Context(), name)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Fatalf("%v, want %q", err, c.want)
			}
			if len(u.waits) < c.waits {
				t.Errorf("%d waits, want %d", len(u.waits), c.waits)
			}
			if err == nil {
				u.check(s, needed...)
				return
			}
			if _, err := os.Lstat(filepath.Join(u.store(), "snapshots", u.s.Commit, "model.safetensors")); err == nil {
				t.Error("the snapshot has weights")
			}
			u.idle = 0
			u.s.Misbehave(nil) // and then all is well
			if s, err = u.fetch(t.Context(), "hf:"+repo); err != nil {
				t.Fatal(err)
			}
			u.check(s, needed...)
		})
	}
}

// Waits double, have a bound and are at random; a server's wish counts.
func TestWaits(t *testing.T) {
	u := newUser(t, model())
	u.serve(listing, status(500, 4))
	if _, err := u.fetch(t.Context(), "hf:"+repo); err != nil {
		t.Fatal(err)
	}
	for i, d := range u.waits {
		if least := time.Second << i / 2; d < least || d > 2*least {
			t.Errorf("wait %d is %s", i, d)
		}
	}
	for header, want := range map[string]time.Duration{"Retry-After: 7": 7 * time.Second, `RateLimit: "api";r=0;t=55`: 55 * time.Second, `RateLimit: "api";r=3;t=55`: 0, "Retry-After: soon": 0, "Retry-After: -5": 0} {
		u = newUser(t, model())
		name, value, _ := strings.Cut(header, ": ")
		u.serve(config, status(429, 1, name, value))
		if _, err := u.fetch(t.Context(), "hf:"+repo); err != nil {
			t.Fatal(err)
		}
		if d := u.waits[0]; len(u.waits) != 1 || d < want || d > want+time.Second {
			t.Errorf("%s: waits %v", header, u.waits)
		}
	}
}

// Refusals say what to do, at once.
func TestRefusals(t *testing.T) {
	refuse := func(code int, name, message string) fault {
		return status(code, 1000, "X-Error-Code", name, "X-Error-Message", message)
	}
	for _, c := range []struct {
		name, ref string
		at        string
		fault     fault
		token     Secret
		want      string
	}{
		{"no such repository", "hf:test/other", "", nil, "", "hf:test/other@main: there is no such model at URL; if it is private, set HF_TOKEN to a token that may read it (or log in with hf auth login) (URL/api/models/test/other/revision/main: 401 Unauthorized: RepoNotFound of)"},
		{"with a token", "hf:test/other", "", nil, hubtest.Token, "if it is private, the token in HF_TOKEN must be one that may read it (URL/api/models/test/other/revision/main: 401 Unauthorized: RepoNotFound of Bearer (secret))"},
		{"no such revision", "hf:test/tiny-llama@v9", "", nil, "", "it has no branch, tag or commit v9: see URL/test/tiny-llama/tree/main ("},
		{"gated", "hf:" + repo, config, refuse(403, "GatedRepo", "Access to model test/tiny-llama is restricted."), "", "it is gated: accept its conditions at URL/test/tiny-llama, and set HF_TOKEN to a token that may read it"},
		{"gated, with a token", "hf:" + repo, resolve, refuse(403, "GatedRepo", "Access is restricted."), hubtest.Token, "it is gated: accept its conditions at URL/test/tiny-llama, and the token in HF_TOKEN must be one that may read it"},
		{"a bad token", "hf:" + repo, listing, refuse(401, "", "Invalid credentials in Authorization header"), hubtest.Token, "the token in HF_TOKEN must be one that may read it (URL/api/models/test/tiny-llama/revision/main: 401 Unauthorized: Invalid credentials in Authorization header)"},
		{"a lost file", "hf:" + repo, config, refuse(404, "EntryNotFound", ""), "", "the hub lists a file that it doesn't have (URL/test/tiny-llama/resolve/COMMIT/config.json: 404 Not Found)"},
		{"a mirror's words", "hf:" + repo, listing, func(_ *hubtest.Server, _ int, w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(451)
			_, _ = w.Write([]byte("{\"error\": \"not\\nhere\"}"))
			return true
		}, "", "URL/api/models/test/tiny-llama/revision/main: 451 Unavailable For Legal Reasons: not here"},
	} {
		u := newUser(t, model())
		u.settings.Token = c.token
		if c.fault != nil {
			u.serve(c.at, c.fault)
		}
		_, err := u.fetch(t.Context(), c.ref)
		want := strings.NewReplacer("URL", u.s.URL, "COMMIT", u.s.Commit).Replace(c.want)
		if err == nil || !strings.Contains(err.Error(), want) || len(u.waits) > 0 {
			t.Errorf("%s: %v, want %q, %d waits", c.name, err, want, len(u.waits))
		}
	}
}
