package ir

import (
	"fmt"
	"math"
	"strings"
)

// namer gives the values of one function distinct names.
type namer struct {
	hints   bool
	names   map[*Value]string
	taken   map[string]bool
	next    map[string]int // by hint: the number to try next
	unnamed int
	args    int
}

// nameValues names every value of f, in order of definition: by its hint, made
// unique by a number; an unnamed constant by its value (%c1, %c0.5, %cst where
// that says too little); an unnamed argument %arg0; others %0, %1, ….
func nameValues(f *Func, hints bool) map[*Value]string {
	n := &namer{hints: hints, names: map[*Value]string{}, taken: map[string]bool{}, next: map[string]int{}}
	n.arguments(f.Args)
	n.block(f.Body)
	return n.names
}

func (n *namer) block(b *Block) {
	for _, op := range b.Ops {
		for _, v := range op.Results {
			n.result(op, v)
		}
		switch {
		case op.Name == "stablehlo.while" && len(op.Regions) == 2:
			n.loop(op.Regions[0], op.Regions[1])
		case appliedOp(op) != nil: // the body is not printed
		default:
			for _, r := range op.Regions {
				n.arguments(r.Args)
				n.block(r)
			}
		}
	}
}

// loop names the blocks of a while, which print one list of arguments for both.
func (n *namer) loop(cond, body *Block) {
	for i, v := range cond.Args {
		named := v
		if v.Hint == "" && i < len(body.Args) {
			named = body.Args[i]
		}
		n.argument(named)
		n.names[v] = n.names[named]
		if i < len(body.Args) {
			n.names[body.Args[i]] = n.names[named]
		}
	}
	n.block(cond)
	n.block(body)
}

func (n *namer) arguments(vs []*Value) {
	for _, v := range vs {
		n.argument(v)
	}
}

func (n *namer) argument(v *Value) {
	if n.hints && v.Hint != "" {
		n.names[v] = n.unique(v.Hint)
		return
	}
	n.names[v] = n.unique(fmt.Sprintf("arg%d", n.args))
	n.args++
}

func (n *namer) result(op *Op, v *Value) {
	switch {
	case n.hints && v.Hint != "":
		n.names[v] = n.unique(v.Hint)
	case op.Name == "stablehlo.constant":
		n.names[v] = n.unique(constantName(op))
	default:
		n.names[v] = fmt.Sprintf("%%%d", n.unnamed)
		n.unnamed++
	}
}

// unique is hint as a value name, with the first number that makes it new.
func (n *namer) unique(hint string) string {
	name := hint
	for n.taken[name] {
		n.next[hint]++
		name = fmt.Sprintf("%s_%d", hint, n.next[hint])
	}
	n.taken[name] = true
	return "%" + name
}

// constantName says the value of a splat, if that makes a short name.
func constantName(op *Op) string {
	t, ok := op.Attrs["value"].(*Tensor)
	if !ok || t.check() != nil || !t.isSplat() {
		return "cst"
	}
	d, bits := t.Type.DType, t.bitsAt(0)
	text := strings.ReplaceAll(elementText(d, bits), "+", "") // no + in names: c1.0e30
	switch {
	case d == I1:
		return text // true, false
	case d.IsFloat() && math.IsInf(float64(floatOf(d, bits)), -1):
		return "c-inf"
	case d.IsFloat() && math.IsInf(float64(floatOf(d, bits)), 1):
		return "cinf"
	}
	if len(text) > 8 || strings.Contains(text, "x") { // long, or in hexadecimal
		return "cst"
	}
	return "c" + text
}

// isHint reports whether a value can print under that name.
func isHint(name string) bool {
	return name != "" && isLetter(name[0]) && wordEnd(name, 1) == len(name)
}

// isName reports whether s can name a module, a function or an attribute.
func isName(s string) bool { return isHint(s) && !strings.Contains(s, "-") }
