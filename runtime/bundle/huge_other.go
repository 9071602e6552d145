//go:build !linux

package bundle

// adviseHuge does nothing: the system chooses the size of pages.
func adviseHuge([]byte) {}
