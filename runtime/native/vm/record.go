package vm

import (
	"math"
	"slices"
)

// recorder follows a call of an exported function and makes the recording.
type recorder struct {
	*recording
	twins  []uint32 // of the function's cells: 1 + the recording's cell if the number isn't known, else 0
	failed bool     // something can't be recorded
}

// record runs a function and keeps the recording, if there can be one.
func (f *frame) record(arguments []Value) error {
	r := &recorder{
		recording: &recording{arguments: slices.Clone(arguments), stores: f.stores, frame: frame{Instance: f.Instance}},
		twins:     make([]uint32, len(f.cells)),
	}
	f.recorder = r
	err := r.run(f)
	if err == nil && !r.failed && r.stores == f.stores {
		for _, from := range f.returned {
			r.results = append(r.results, f.peek(from))
		}
		f.fn.replays.recording = r.recording
	}
	f.recorder = nil
	return err
}

// run interprets the function until it returns; where it does what can't be
// recorded, the recorder leaves it.
func (r *recorder) run(f *frame) error {
	for {
		in := &f.fn.code[f.pc]
		if r.note(f, in); r.failed {
			f.recorder = nil
			return f.run()
		}
		f.pc++
		switch err := in.exec(f, in); {
		case err == errReturn:
			return nil
		case err != nil:
			return f.explain(in, err)
		}
	}
}

// note looks at an instruction before it is executed.
func (r *recorder) note(f *frame, in *instruction) {
	op := &opcodes[in.op]
	switch op.replay {
	case computes:
		r.compute(f, in, op.encoding)
	case defines:
		r.eachCell(in, op.encoding, r.forget)
	case decides:
		r.eachCell(in, op.encoding, r.mustKnow)
	case callsOut:
		r.failed = r.failed || in.more.call.imported == nil
	case returns:
		for _, o := range in.more.values {
			if o.kind != Reference {
				r.mustKnow(o)
			}
		}
	default:
		r.failed = true
	}
}

// eachCell visits an instruction's fixed operands that are numbers.
func (r *recorder) eachCell(in *instruction, encoding string, visit func(operand)) {
	at := 0
	for _, c := range encoding {
		switch c {
		case 'i', 'I':
			visit(operand{Kind(c), in.r[at]})
			at++
		case 'r', 't':
			at++
		}
	}
}

// compute records an instruction on numbers of which some aren't known.
func (r *recorder) compute(f *frame, in *instruction, encoding string) {
	var operands []operand
	r.eachCell(in, encoding, func(o operand) { operands = append(operands, o) })
	result := operands[len(operands)-1]
	operands = operands[:len(operands)-1]
	if !slices.ContainsFunc(operands, func(o operand) bool { return !r.symbol(o).Known() }) {
		r.forget(result)
		return
	}
	residual := *in
	for i, o := range operands {
		s := r.symbol(o)
		if s.Known() {
			s = r.constant(f, o)
		}
		residual.r[i] = s.cell
	}
	residual.r[len(operands)] = r.fresh(result).cell
	r.steps = append(r.steps, step{in: residual})
}

func (o operand) cells() int {
	if o.kind == I64 || o.kind == F64 {
		return 2
	}
	return 1
}

// symbol of a register. A pair whose halves come from different numbers has none.
func (r *recorder) symbol(o operand) Symbol {
	first := r.twins[o.register]
	if o.cells() == 2 {
		if second := r.twins[o.register+1]; (first == 0) != (second == 0) || first != 0 && second != first+1 {
			r.failed = true
			return Symbol{}
		}
	}
	if first == 0 {
		return Symbol{}
	}
	return Symbol{uint16(first - 1), o.kind}
}

func (r *recorder) mustKnow(o operand) { r.failed = !r.symbol(o).Known() || r.failed }

// forget makes a register's number known.
func (r *recorder) forget(o operand) {
	for i := range o.cells() {
		r.twins[int(o.register)+i] = 0
	}
}

// constant makes cells that hold the register's present number.
func (r *recorder) constant(f *frame, o operand) Symbol {
	at := len(r.frame.cells)
	r.frame.cells = append(r.frame.cells, f.cells[o.register:][:o.cells()]...)
	return Symbol{uint16(at), o.kind}
}

// fresh makes cells for a number that isn't known and is about to be put in a register.
func (r *recorder) fresh(o operand) Symbol {
	at := len(r.frame.cells)
	r.failed = r.failed || at+2 > math.MaxUint16
	for i := range o.cells() {
		r.frame.cells = append(r.frame.cells, 0)
		r.twins[int(o.register)+i] = uint32(at + i + 1)
	}
	return Symbol{uint16(at), o.kind}
}

// move follows the moves of a branch.
func (r *recorder) move(m move) { r.twins[m.to] = r.twins[m.from] }

// symbols of the numbers that a call passes, and how many of them aren't known.
func (r *recorder) symbols(site *callSite) (symbols []Symbol, unknown int) {
	symbols = []Symbol{}
	for _, a := range site.arguments {
		if a.kind == Reference {
			continue
		}
		s := r.symbol(a)
		if symbols = append(symbols, s); !s.Known() {
			unknown++
		}
	}
	return symbols, unknown
}

// call runs an import and records it.
func (r *recorder) call(site *callSite, c *Call) error {
	symbols, unknown := r.symbols(site)
	e := &event{imported: site.imported, words: slices.Clone(c.words), symbols: symbols, refs: slices.Clone(c.refs), spans: site.spans}
	c.symbols = symbols
	if err := site.imported.call(c, len(site.results)); err != nil {
		return err
	}
	switch site.imported.replay {
	case Once:
		r.failed = r.failed || c.claimed != unknown
	case Memory:
		r.failed = r.failed || unknown > 0
		e.results = slices.Clone(c.results)
		r.memory = append(r.memory, e)
	case Again:
		r.steps = append(r.steps, step{event: e})
	default:
		r.failed = true
	}
	for _, to := range site.results {
		r.result(e, to)
	}
	return nil
}

// result follows the result of an import to its register.
func (r *recorder) result(e *event, to operand) {
	again := e.imported.replay == Again
	switch {
	case to.kind == Reference:
		r.failed = r.failed || again
	case again:
		e.numbers = append(e.numbers, r.fresh(to))
	default:
		r.forget(to)
	}
}
