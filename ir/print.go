package ir

import (
	"fmt"
	"strings"
)

// Print is the module as StableHLO text in MLIR's pretty form, as iree-opt reads
// it. The text depends on the module only: equal modules print equal bytes.
func Print(m *Module) string {
	p := &printer{hints: true}
	p.module(m)
	return p.text.String()
}

// Equal reports whether two modules are the same but for the names of their values.
func Equal(a, b *Module) bool { return printBare(a) == printBare(b) }

// printBare prints without the names of values.
func printBare(m *Module) string {
	p := &printer{}
	p.module(m)
	return p.text.String()
}

// printer writes one module.
type printer struct {
	text   strings.Builder
	hints  bool // print values under their hints
	names  map[*Value]string
	indent int
	items  int // comma-separated things printed of the current op
}

// lineWidth is where function headers are broken, in bytes.
const lineWidth = 110

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(&p.text, format, args...) }

func (p *printer) newline() {
	p.text.WriteByte('\n')
	for range p.indent {
		p.text.WriteString("  ")
	}
}

func (p *printer) module(m *Module) {
	p.text.WriteString("module")
	if m.Name != "" {
		p.printf(" @%s", m.Name)
	}
	if len(m.Attrs) > 0 {
		p.printf(" attributes %s", attrText(m.Attrs))
	}
	p.text.WriteString(" {")
	p.indent++
	for i, f := range m.Funcs {
		if i > 0 {
			p.text.WriteByte('\n')
		}
		p.newline()
		p.function(f)
	}
	p.indent--
	p.text.WriteString("\n}\n")
}

func (p *printer) function(f *Func) {
	p.names = nameValues(f, p.hints)
	p.header(f)
	if f.NoInline {
		p.text.WriteString(" " + noInline)
	}
	p.text.WriteString(" ")
	p.block(f.Body)
}

// noInline is what Func.NoInline prints as.
const noInline = "attributes {no_inline, noinline}"

// header prints the signature of f; one argument a line where one line is too long.
func (p *printer) header(f *Func) {
	start := "func.func @" + f.Name + "("
	if f.Private {
		start = "func.func private @" + f.Name + "("
	}
	args := make([]string, len(f.Args))
	for i, v := range f.Args {
		args[i] = p.name(v) + ": " + v.Type.String()
		if i < len(f.ArgAttrs) && len(f.ArgAttrs[i]) > 0 {
			args[i] += " " + attrText(f.ArgAttrs[i])
		}
	}
	results := ""
	if len(f.Results) > 0 {
		results = " -> " + resultList(f.Results)
	}
	line := start + strings.Join(args, ", ") + ")" + results
	if len(line)+2*p.indent <= lineWidth || len(args) == 0 {
		p.text.WriteString(line)
		return
	}
	p.text.WriteString(start)
	p.indent += 2
	for i, a := range args {
		p.newline()
		p.text.WriteString(a)
		if i < len(args)-1 {
			p.text.WriteString(",")
		}
	}
	p.indent -= 2
	p.newline()
	p.text.WriteString(")" + results)
}

// block prints the ops of b in braces.
func (p *printer) block(b *Block) {
	p.text.WriteString("{")
	p.indent++
	for _, op := range b.Ops {
		p.newline()
		p.op(op)
	}
	p.indent--
	p.newline()
	p.text.WriteString("}")
}

func (p *printer) op(op *Op) {
	if len(op.Results) > 0 {
		p.printf("%s = ", p.nameList(op.Results))
	}
	def := opTable[op.Name]
	switch {
	case def == nil:
		p.printf("%q", op.Name)
		return
	case def.generic:
		p.printf("%q", def.spelling)
	default:
		p.text.WriteString(def.spelling)
	}
	p.items = 0
	for _, piece := range def.form {
		piece.print(p, op)
	}
}

// item begins one of the comma-separated things after the name of an op.
func (p *printer) item() {
	if p.items > 0 {
		p.text.WriteByte(',')
	}
	p.text.WriteByte(' ')
	p.items++
}

func (p *printer) name(v *Value) string {
	if n, ok := p.names[v]; ok {
		return n
	}
	return "%<undefined>"
}

func (p *printer) nameList(vs []*Value) string {
	names := make([]string, len(vs))
	for i, v := range vs {
		names[i] = p.name(v)
	}
	return strings.Join(names, ", ")
}

// resultList is a type, or several in parentheses.
func resultList(ts []Type) string {
	if len(ts) == 1 {
		return ts[0].String()
	}
	return typeList(ts)
}

// typedNames is %a: type, %b: type.
func (p *printer) typedNames(vs []*Value) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = p.name(v) + ": " + v.Type.String()
	}
	return strings.Join(parts, ", ")
}
