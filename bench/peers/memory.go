package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// memoryWatch follows the memory of a process and of what it starts, which Linux
// tells; elsewhere the numbers stay 0.
type memoryWatch struct {
	peak    int64 // resident bytes of the process, mapped files included
	private int64 // the most at a time without mapped files
	child   int64 // resident bytes of the largest process under it

	quit, done chan struct{}
}

// watchEvery is short against the phases of the work: an allocation that matters
// lives longer.
const watchEvery = 20 * time.Millisecond

func watchMemory(pid int) *memoryWatch {
	w := &memoryWatch{quit: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(w.done)
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for {
			w.look(pid)
			select {
			case <-w.quit:
				return
			case <-tick.C:
			}
		}
	}()
	return w
}

// stop ends the watch; after it the fields may be read.
func (w *memoryWatch) stop() {
	close(w.quit)
	<-w.done
}

func (w *memoryWatch) look(pid int) {
	status := fmt.Sprintf("/proc/%d/status", pid)
	w.peak = max(w.peak, kilobytes(status, "VmHWM"))
	w.private = max(w.private, kilobytes(status, "RssAnon")+kilobytes(status, "RssShmem"))
	for _, child := range descendants(pid) {
		w.child = max(w.child, kilobytes(fmt.Sprintf("/proc/%d/status", child), "VmHWM"))
	}
}

// kilobytes reads a field such as "VmHWM:  1234 kB", in bytes.
func kilobytes(path, key string) int64 {
	n, _ := strconv.ParseInt(strings.TrimSuffix(procField(path, key), " kB"), 10, 64)
	return n << 10
}

// descendants are the processes that a process and its children have started.
func descendants(pid int) []int {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	var all []int
	for _, list := range lists {
		for _, field := range strings.Fields(text(list)) {
			if child, err := strconv.Atoi(field); err == nil {
				all = append(append(all, child), descendants(child)...)
			}
		}
	}
	return all
}
