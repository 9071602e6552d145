package hub

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/runtime/jsonerror"
)

// Limits of what the hub may list, far above any repository.
const (
	maxListing = 32 << 20 // bytes of JSON
	maxFiles   = 100_000
	maxSize    = 1 << 46 // bytes of a file
)

// Listing is what a repository holds at a commit.
type Listing struct {
	Commit       string
	Files        []File
	Architecture string // general.architecture of its GGUF files; "" if there are none
}

// File is a file of a repository. A digest of 64 digits is the SHA-256 of the content
// (Git LFS), one of 40 that of Git's blob: the SHA-1 of "blob SIZE\0" and the content.
// There is no digest and no size of a file that isn't one for Git (a link, another
// repository), nor from a server that doesn't know ?blobs=true.
type File struct {
	Path   string
	Size   int64
	Digest string
}

var digestForm = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// answer is what the hub says of a repository, as far as it concerns us.
type answer struct {
	SHA      string    `json:"sha"`
	Siblings []sibling `json:"siblings"`
	GGUF     struct {
		Architecture string `json:"architecture"`
	} `json:"gguf"`
}

type sibling struct {
	Name   string `json:"rfilename"`
	Size   *int64 `json:"size,omitempty"`
	BlobID string `json:"blobId,omitempty"`
	LFS    *lfs   `json:"lfs,omitempty"`
}

type lfs struct {
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
}

// parseListing reads the hub's answer on a revision, with its files' sizes and digests.
func parseListing(data []byte) (l Listing, err error) {
	if len(data) > maxListing {
		return l, fmt.Errorf("%d bytes, at most %d are allowed", len(data), maxListing)
	}
	var a answer
	if err := json.Unmarshal(data, &a); err != nil {
		return l, fmt.Errorf("not the JSON of a repository: %w: %.60q", jsonerror.Plain(err), data)
	}
	if !commitID.MatchString(a.SHA) {
		return l, fmt.Errorf("its sha is %.60q, not a commit", a.SHA)
	}
	if len(a.Siblings) > maxFiles {
		return l, fmt.Errorf("%d files, at most %d are allowed", len(a.Siblings), maxFiles)
	}
	l = Listing{Commit: a.SHA, Architecture: a.GGUF.Architecture, Files: make([]File, len(a.Siblings))}
	for i, s := range a.Siblings {
		if l.Files[i], err = s.file(); err != nil {
			return Listing{}, err
		}
	}
	l.sort()
	for i := range l.Files[min(1, len(l.Files)):] {
		if l.Files[i].Path == l.Files[i+1].Path {
			return Listing{}, fmt.Errorf("file %.100q is listed twice", l.Files[i].Path)
		}
	}
	return l, nil
}

func (s sibling) file() (File, error) {
	if err := checkPath(s.Name); err != nil {
		return File{}, fmt.Errorf("file name %w", err)
	}
	if s.Size == nil || s.BlobID == "" && s.LFS == nil {
		return File{Path: s.Name}, nil
	}
	f := File{Path: s.Name, Size: *s.Size, Digest: s.BlobID}
	if s.LFS != nil {
		f.Size, f.Digest = s.LFS.Size, s.LFS.SHA256
		if len(f.Digest) != 64 {
			return File{}, fmt.Errorf("file %s: lfs.sha256 is %.80q", s.Name, f.Digest)
		}
	}
	if f.Size < 0 || f.Size > maxSize {
		return File{}, fmt.Errorf("file %s: size is %d", s.Name, f.Size)
	}
	if !digestForm.MatchString(f.Digest) {
		return File{}, fmt.Errorf("file %s: its digest is %.80q", s.Name, f.Digest)
	}
	return f, nil
}

// marshal is the listing as parseListing reads it.
func (l Listing) marshal() []byte {
	a := answer{SHA: l.Commit}
	a.GGUF.Architecture = l.Architecture
	for _, f := range l.Files {
		s := sibling{Name: f.Path, Size: &f.Size, BlobID: f.Digest}
		switch len(f.Digest) {
		case 0:
			s.Size = nil
		case 64:
			s.BlobID, s.LFS = "", &lfs{SHA256: f.Digest, Size: f.Size}
		}
		a.Siblings = append(a.Siblings, s)
	}
	data, err := json.Marshal(a)
	if err != nil {
		panic(err) // plain data always marshals
	}
	return data
}

// sort puts the files in the order that file needs.
func (l Listing) sort() {
	slices.SortFunc(l.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
}

// file looks a file up.
func (l Listing) file(path string) (File, bool) {
	i, ok := slices.BinarySearchFunc(l.Files, path, func(f File, path string) int { return strings.Compare(f.Path, path) })
	if !ok {
		return File{}, false
	}
	return l.Files[i], true
}
