package runtime

import (
	"slices"
	"testing"

	"github.com/mlxc/mlxc/runtime/bundle"
)

// TestChunks: a prompt is cut so that padded rows and chunks together cost the least.
func TestChunks(t *testing.T) {
	s := &graphSession{model: bundle.Model{Capacity: 2048}}
	for _, rows := range []int{16, 64, 256} {
		s.prefill = append(s.prefill, ladder{{Graph: bundle.Graph{Rows: rows}}})
	}
	for _, tc := range []struct {
		position, prompt int
		rows             []int // of the chunks
	}{
		{0, 1, []int{16}},
		{0, 32, []int{16, 16}},
		{0, 33, []int{64}},
		{0, 100, []int{64, 64}},
		{0, 192, []int{64, 64, 64}},
		{0, 200, []int{64, 64, 64, 16}},
		{0, 240, []int{256}},
		{0, 512, []int{256, 256}},
		{0, 530, []int{256, 256, 16, 16}},
		{1800, 240, []int{64, 64, 64, 16, 16, 16}}, // 256 rows don't fit there, nor 64 at the end
	} {
		var got []int
		for position, left := tc.position, tc.prompt; left > 0; {
			l, n := s.chunk(position, left)
			got, position, left = append(got, l.rows()), position+n, left-n
		}
		if !slices.Equal(got, tc.rows) {
			t.Errorf("%d tokens at %d: chunks %v, want %v", tc.prompt, tc.position, got, tc.rows)
		}
	}
}
