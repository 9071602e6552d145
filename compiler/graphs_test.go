package compiler

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/lower"
	"github.com/mlxc/mlxc/lower/target"
	"github.com/mlxc/mlxc/runtime/bundle"
)

func TestDefaultGraphs(t *testing.T) {
	row, err := target.Load("llvm-cpu")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := lower.PlanFor(row, "f16", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	s := plan.State.Capacity // the plan may prefer 272 rows to 256
	for context, want := range map[int]string{
		8:    "prefill_c16 decode ragged_b4 ragged_b8",
		511:  "prefill_c16 prefill_c64 prefill_c256 decode ragged_b4 ragged_b8",
		2048: fmt.Sprintf("prefill_c16_s%[1]d prefill_c16_s%[2]d prefill_c16_s%[3]d prefill_c16 prefill_c64_s%[1]d prefill_c64_s%[2]d prefill_c64_s%[3]d prefill_c64 prefill_c256_s%[1]d prefill_c256_s%[2]d prefill_c256_s%[3]d prefill_c256 decode_s%[1]d decode_s%[2]d decode_s%[3]d decode ragged_b4_s%[1]d ragged_b4_s%[3]d ragged_b4 ragged_b8_s%[1]d ragged_b8_s%[3]d ragged_b8", s(256), s(512), s(1024)),
	} {
		var names []string
		for _, k := range defaultGraphs(context, plan.State) {
			names = append(names, k.String())
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("context %d: %s\nwant %s", context, got, want)
		}
	}
	// What a manifest may hold is enough for the longest context.
	if n := len(defaultGraphs(maxContext, plan.State)); n > bundle.MaxGraphs {
		t.Errorf("%d graphs for a context of %d", n, maxContext)
	}
}
