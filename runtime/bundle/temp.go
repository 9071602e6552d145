package bundle

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// A bundle in the making is a hidden file beside its path, ".NAME.RANDOM.tmp", which its
// writer holds (flock). One that nobody holds was left by a process that was killed: the
// next writer of the same bundle removes it.
const (
	tempSuffix  = ".tmp"
	tempRandom  = 8         // characters
	longestTemp = 200       // bytes of NAME: a file's name may have 255
	forsaken    = time.Hour // from then on nobody is about to hold it
)

// createTemp makes the temporary file of a bundle.
func createTemp(path string) (*os.File, error) {
	dir, base := filepath.Split(path)
	prefix := "." + base[:min(len(base), longestTemp)] + "."
	removeForsaken(dir, prefix)
	f, err := os.OpenFile(filepath.Join(dir, prefix+rand.Text()[:tempRandom]+tempSuffix), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	_ = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) // where there are no locks, nothing is removed either
	return f, nil
}

// removeForsaken removes the temporary files of writers that are no more. What can't be
// told or removed stays.
func removeForsaken(dir, prefix string) {
	files, _ := os.ReadDir(filepath.Join(dir, "."))
	for _, file := range files {
		name := file.Name()
		random, ok := strings.CutPrefix(name, prefix)
		if !ok || !file.Type().IsRegular() || len(random) != tempRandom+len(tempSuffix) || !strings.HasSuffix(random, tempSuffix) {
			continue
		}
		if info, err := file.Info(); err != nil || time.Since(info.ModTime()) < forsaken {
			continue
		}
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
			os.Remove(f.Name())
		}
		f.Close()
	}
}
