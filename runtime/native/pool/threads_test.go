package pool

import (
	"math"
	"testing"
)

func TestThreads(t *testing.T) {
	for _, c := range []struct {
		processors, affinity int
		quota                float64
		want                 int
	}{
		{16, 16, math.Inf(1), 16},
		{16, 4, math.Inf(1), 4},
		{16, 0, math.Inf(1), 16}, // affinity unknown
		{16, 16, 2, 2},
		{16, 16, 7.65, 7},
		{16, 16, 0.5, 1},
		{16, 3, 7.65, 3},
		{4, 4, 7.65, 4},
		{1, 1, 0.01, 1},
	} {
		if got := threads(c.processors, c.affinity, c.quota); got != c.want {
			t.Errorf("threads(%d processors, affinity %d, quota %v) = %d, want %d", c.processors, c.affinity, c.quota, got, c.want)
		}
	}
}

func TestDefaultThreads(t *testing.T) {
	if n := DefaultThreads(); n < 1 {
		t.Errorf("DefaultThreads = %d", n)
	}
}
