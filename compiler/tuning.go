package compiler

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/mlxc/mlxc/compiler/iree"
	"github.com/mlxc/mlxc/lower"
)

// tuningFile is the name of the tuning spec where iree-compile runs.
const tuningFile = "tuning.mlir"

// tuningFlags name the tuning spec to iree-compile 3.13, which may wait for itself for
// ever if it parses the spec with several threads: while one holds the lock on the spec,
// it waits for its verification by taking other work, which may want the spec as well.
var tuningFlags = []string{"--iree-codegen-tuning-spec-path=" + tuningFile, "--mlir-disable-threading"}

//go:embed tuning.mlir.tmpl
var tuningText string

var tuningTemplate = template.Must(template.New(tuningFile).Parse(tuningText))

// tuned is a job with the rules of its graphs.
func tuned(j iree.Job, rules []lower.Rule) iree.Job {
	if spec := tuningSpec(rules); spec != nil {
		j.Codegen, j.Files = tuningFlags, map[string][]byte{tuningFile: spec}
	}
	return j
}

// tuningRule is a rule as the template prints it.
type tuningRule struct{ lower.Rule }

// tuningSpec prints rules as a tuning spec of iree-compile: a transform dialect module
// that finds loop nests by kinds and sizes of their loops and attaches tiles. A rule
// that finds nothing isn't reported. It is empty without rules.
func tuningSpec(rules []lower.Rule) []byte {
	if len(rules) == 0 {
		return nil
	}
	list := make([]tuningRule, len(rules))
	for i, r := range rules {
		list[i] = tuningRule{r}
	}
	var text bytes.Buffer
	if err := tuningTemplate.Execute(&text, list); err != nil {
		panic(err) // the template is part of the program
	}
	return text.Bytes()
}

func (r tuningRule) Loops() int            { return r.Parallel + r.Reduction }
func (r tuningRule) ParallelDims() string  { return intRange(0, r.Parallel) }
func (r tuningRule) ReductionDims() string { return intRange(r.Parallel, r.Loops()) }

// Config is the attribute that carries the tiles.
func (r tuningRule) Config() string {
	return fmt.Sprintf("#iree_codegen.compilation_info<lowering_config = %s, translation_info = #iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>>", r.LoweringConfig())
}

// LoweringConfig is what a loop nest carries that the rule was applied to.
func (r tuningRule) LoweringConfig() string {
	return fmt.Sprintf("#iree_cpu.lowering_config<distribution = %s, vector_common_parallel = %s, vector_reduction = %s>",
		ints(r.Distribution), ints(r.Vector), ints(r.Unroll))
}

// ints is "[1, 2]".
func ints(x []int) string { return strings.ReplaceAll(fmt.Sprint(x), " ", ", ") }

func intRange(from, to int) string {
	var x []int
	for i := from; i < to; i++ {
		x = append(x, i)
	}
	return ints(x)
}
