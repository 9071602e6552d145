package compiler

import (
	"math"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/archs"
)

func TestContextIsBounded(t *testing.T) {
	for _, n := range []int{maxContext + 1, 100_000_000, math.MaxInt} {
		_, err := lowerOptions(Options{Context: n}, archs.Spec{MaxLength: 128}, nil)
		if err == nil || !strings.Contains(err.Error(), "is more than 16777216") {
			t.Errorf("--context %d: %v", n, err)
		}
	}
}
