// Package hubtest is a model hub on this machine, for tests: the hub's own server and
// the one that it sends clients to for large files, both of which can be made to fail.
package hubtest

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Token is what the hub knows its user by.
const Token = "hf_tOkEnOfTheTests"

// Server is a hub with one repository.
type Server struct {
	URL    string // HF_ENDPOINT
	Repo   string // ORG/NAME
	Commit string
	Files  map[string][]byte
	// Architecture of its GGUF files, which the listing tells; may be "".
	Architecture string

	large *httptest.Server
	mu    sync.Mutex
	fault Fault
	log   []string
	sent  int64
	leaks []string
}

// Fault may answer a request in the hub's place, and then returns true. large says that
// the request reached the server of large files.
type Fault func(w http.ResponseWriter, r *http.Request, large bool) bool

// Misbehave lets f, if it isn't nil, answer from now on.
func (s *Server) Misbehave(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// Serve serves a repository until t ends.
func Serve(t testing.TB, repo string, files map[string][]byte) *Server {
	s := &Server{Repo: repo, Commit: fmt.Sprintf("%x", sha1.Sum([]byte(repo))), Files: files}
	start := func(large bool, serve http.HandlerFunc) *httptest.Server {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fault := s.note(r, large)
			w = &counted{ResponseWriter: w, s: s}
			if fault == nil || !fault(w, r, large) {
				serve(w, r)
			}
		}))
		server.Config.ErrorLog = nil
		t.Cleanup(server.Close)
		return server
	}
	s.URL = start(false, s.serveHub).URL
	s.large = start(true, s.serveLarge)
	return s
}

// Dir are the files of a folder and those below it, for Serve.
func Dir(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(name)], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// note remembers a request, and a token that was sent where it mustn't be. It returns
// the fault that is in force.
func (s *Server) note(r *http.Request, large bool) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	line := r.URL.Path
	if ranges := r.Header.Get("Range"); ranges != "" {
		line += " " + ranges
	}
	s.log = append(s.log, line)
	if large && (r.Header.Get("Authorization") != "" || strings.Contains(fmt.Sprint(r.Header, r.URL), Token)) {
		s.leaks = append(s.leaks, line)
	}
	return s.fault
}

// Requests are the paths and ranges that were asked for since the last call.
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.log
	s.log = nil
	return log
}

// Sent is the number of bytes of all bodies since the last call.
func (s *Server) Sent() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.sent
	s.sent = 0
	return n
}

// Leaks are the requests that brought the token to the server of large files.
func (s *Server) Leaks() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.leaks)
}

// counted counts what is sent.
type counted struct {
	http.ResponseWriter
	s *Server
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.s.mu.Lock()
	c.s.sent += int64(n)
	c.s.mu.Unlock()
	return n, err
}

func (c *counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// IsLarge reports whether a file is kept by Git LFS.
func IsLarge(path string) bool {
	return slices.Contains([]string{".safetensors", ".gguf", ".bin"}, filepath.Ext(path))
}

// Digest of a file, as the hub lists it.
func (s *Server) Digest(path string) string {
	if data := s.Files[path]; !IsLarge(path) {
		return fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(data), data)))
	}
	return fmt.Sprintf("%x", sha256.Sum256(s.Files[path]))
}

// Listing is the hub's answer on the repository, with sizes and digests.
func (s *Server) Listing() map[string]any {
	siblings := []any{}
	for path, data := range s.Files {
		file := map[string]any{"rfilename": path, "size": len(data), "blobId": s.Digest(path)}
		if IsLarge(path) {
			file["blobId"] = strings.Repeat("0", 40)
			file["lfs"] = map[string]any{"sha256": s.Digest(path), "size": len(data), "pointerSize": 130}
		}
		siblings = append(siblings, file)
	}
	return map[string]any{"id": s.Repo, "sha": s.Commit, "private": false, "siblings": siblings, "gguf": map[string]any{"architecture": s.Architecture}}
}

func (s *Server) serveHub(w http.ResponseWriter, r *http.Request) {
	fail := func(status int, code string) {
		w.Header().Set("X-Error-Code", code)
		w.Header().Set("X-Error-Message", code+" of "+r.Header.Get("Authorization"))
		w.WriteHeader(status)
	}
	if revision, ok := strings.CutPrefix(r.URL.Path, "/api/models/"+s.Repo+"/revision/"); ok {
		if revision != "main" && revision != "refs/pr/1" && revision != s.Commit {
			fail(http.StatusNotFound, "RevisionNotFound")
			return
		}
		_ = json.NewEncoder(w).Encode(s.Listing()) // a client that has gone needs no answer
		return
	}
	path, ok := strings.CutPrefix(r.URL.Path, "/"+s.Repo+"/resolve/"+s.Commit+"/")
	if !ok {
		fail(http.StatusUnauthorized, "RepoNotFound")
		return
	}
	data, ok := s.Files[path]
	if !ok {
		fail(http.StatusNotFound, "EntryNotFound")
		return
	}
	w.Header().Set("X-Repo-Commit", s.Commit)
	if IsLarge(path) {
		w.Header().Set("X-Linked-Etag", `"`+s.Digest(path)+`"`)
		w.Header().Set("X-Linked-Size", fmt.Sprint(len(data)))
		w.Header().Set("Location", s.large.URL+"/"+path+"?signature=sEcReT")
		w.WriteHeader(http.StatusFound)
		return
	}
	s.Content(w, r, path)
}

func (s *Server) serveLarge(w http.ResponseWriter, r *http.Request) {
	s.Content(w, r, strings.TrimPrefix(r.URL.Path, "/"))
}

// Content answers with a file's content, or a range of it.
func (s *Server) Content(w http.ResponseWriter, r *http.Request, path string) {
	w.Header().Set("ETag", `"`+s.Digest(path)+`"`)
	http.ServeContent(w, r, path, time.Time{}, bytes.NewReader(s.Files[path]))
}

// Cut answers as serve does, but the connection ends after n bytes of the body.
func Cut(w http.ResponseWriter, n int, serve func(http.ResponseWriter)) {
	serve(&cutting{ResponseWriter: w, left: n})
}

type cutting struct {
	http.ResponseWriter
	left int
}

func (c *cutting) Write(p []byte) (int, error) {
	n, _ := c.ResponseWriter.Write(p[:min(len(p), c.left)]) // the client may have gone
	if c.left -= n; c.left <= 0 {
		_ = http.NewResponseController(c.ResponseWriter).Flush()
		panic(http.ErrAbortHandler)
	}
	return n, nil
}
