package compiler

import (
	"github.com/mlxc/mlxc/compiler/iree"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower"
	"github.com/mlxc/mlxc/lower/target"
)

// moduleOf is the name of the compiled module that holds a graph: graphs of a kind are
// compiled together, since those of a ladder differ in attention alone and share all
// other kernels. Kinds have next to nothing in common, and compile side by side.
func moduleOf(k lower.GraphKind) string { return k.Kind }

// units are what the compiler compiles, for a processor with such registers.
func (m *model) units(v target.Vector) []iree.Job {
	graphs, kinds := map[string][]*ir.Module{}, map[string][]lower.GraphKind{}
	var names []string
	for _, g := range m.program.Graphs {
		name := moduleOf(g.Kind)
		if graphs[name] == nil {
			names = append(names, name)
		}
		graphs[name], kinds[name] = append(graphs[name], g.Module), append(kinds[name], g.Kind)
	}
	var jobs []iree.Job
	for _, name := range names {
		jobs = append(jobs, tuned(Unit(name, graphs[name]...), m.program.Rules(v, kinds[name]...)))
	}
	return jobs
}

// Unit links graphs, whose functions have names of their own, into one module for the
// compiler. Functions that a graph calls, its layers, are compiled once. They come first:
// IREE puts the constants of a function before it, and must know them where it is inlined.
func Unit(name string, graphs ...*ir.Module) iree.Job {
	unit := &ir.Module{Name: name, Attrs: graphs[0].Attrs}
	var entries []*ir.Func
	for _, g := range graphs {
		called := map[string]bool{}
		for _, op := range g.Func(g.Name).Body.Ops {
			if callee, ok := op.Attrs["callee"].(string); ok {
				called[callee] = true
			}
		}
		for _, f := range g.Funcs {
			if !f.Private {
				entries = append(entries, f)
				continue
			}
			marked := *f
			marked.NoInline = called[f.Name]
			unit.Funcs = append(unit.Funcs, &marked)
		}
	}
	unit.Funcs = append(unit.Funcs, entries...)
	return iree.Job{Name: name, Text: []byte(ir.Print(unit))}
}

// texts are the graphs' own modules.
func (m *model) texts() []iree.Job {
	var jobs []iree.Job
	for _, g := range m.program.Graphs {
		jobs = append(jobs, iree.Job{Name: g.Kind.String(), Text: []byte(ir.Print(g.Module))})
	}
	return jobs
}
