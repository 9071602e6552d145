package vm

import (
	"context"
	"fmt"
)

// operand is a value in a register.
type operand struct {
	kind     Kind
	register uint16
}

// callSite is a decoded call.
type callSite struct {
	function  *function // of this module, or
	imported  *binding
	arguments []operand
	results   []operand
	spans     []int // lengths of the import's spans
	resume    int   // instruction to continue at, -1 for the next one
}

// Call is a call of an imported function: its arguments, which are read in order,
// and its results, which are given in order. A span of the calling convention is
// read as its length, then its values. It's valid until the function returns.
type Call struct {
	ctx     context.Context
	words   []uint64
	refs    []Ref
	spans   []int
	results []Value
	err     error

	symbols  []Symbol   // of all words, while the caller is recorded
	claimed  int        // symbols that the function asked for and weren't known
	replayed *recording // while the caller is replayed
	expected []Value    // of Memory
}

// Context of the call of the exported function that is in progress.
func (c *Call) Context() context.Context { return c.ctx }

// I64 reads an integer or float argument of any width; narrow ones are zero-extended.
func (c *Call) I64() uint64 {
	w := c.words[0]
	c.words = c.words[1:]
	return w
}

// I32 reads a 32-bit integer.
func (c *Call) I32() uint32 { return uint32(c.I64()) }

// Ref reads a reference, which may be null.
func (c *Call) Ref() Ref {
	r := c.refs[0]
	c.refs = c.refs[1:]
	return r
}

// Span reads the length of a span.
func (c *Call) Span() int {
	n := c.spans[0]
	c.spans = c.spans[1:]
	return n
}

// Arg reads a reference that must be of a type and not null. If it isn't, Err says
// so and the result is not to be used.
func Arg[T Ref](c *Call) T {
	r := c.Ref()
	o, ok := r.(T)
	if !ok && c.err == nil {
		c.err = typeError(r, o.TypeName())
	}
	return o
}

// Optional is Arg for a reference that may be null.
func Optional[T Ref](c *Call) T {
	r := c.Ref()
	o, ok := r.(T)
	if !ok && r != nil && c.err == nil {
		c.err = typeError(r, o.TypeName())
	}
	return o
}

// Err is the first error of Arg and Optional; functions check it after reading.
func (c *Call) Err() error { return c.err }

// Return gives the next result, an integer of any width.
func (c *Call) Return(v uint64) { c.results = append(c.results, Value{Kind: I64, Bits: v}) }

// ReturnRef gives the next result, a reference.
func (c *Call) ReturnRef(r Ref) { c.results = append(c.results, RefValue(r)) }

func call(f *frame, in *instruction) error {
	site := in.more.call
	if err := f.step(); err != nil {
		return err
	}
	if site.resume >= 0 {
		f.pc = site.resume
	}
	if site.function != nil {
		return f.callInternal(site)
	}
	return f.callImport(site)
}

// callInternal passes arguments to the callee's first registers and copies the
// registers that it returns.
func (f *frame) callInternal(site *callSite) error {
	callee, err := f.enter(site.function)
	if err != nil {
		return err
	}
	defer f.leave(callee)
	for i, to := range site.function.arguments {
		callee.assign(to, f, site.arguments[i].register)
	}
	if err := callee.run(); err != nil {
		return err
	}
	for i, to := range site.results {
		f.assign(to, callee, callee.returned[i].register)
	}
	return nil
}

// assign copies a register of another frame, of the operand's kind.
func (f *frame) assign(to operand, from *frame, register uint16) {
	switch to.kind {
	case Reference:
		f.setRef(to.register, from.take(register))
	case I64, F64:
		f.set64(to.register, from.get64(register))
	default:
		f.cells[to.register] = from.cells[register]
	}
}

func (f *frame) callImport(site *callSite) error {
	c := f.pass(site)
	var err error
	if f.recorder != nil {
		err = f.recorder.call(site, c)
	} else {
		err = site.imported.call(c, len(site.results))
	}
	if err != nil {
		return err
	}
	for i, to := range site.results {
		f.put(to, c.results[i])
	}
	return nil
}

// call runs an import's implementation.
func (b *binding) call(c *Call, results int) error {
	if b.run == nil {
		return fmt.Errorf("optional import %s isn't there", b.name)
	}
	err := b.run(c)
	if err == nil {
		err = c.err
	}
	if err == nil && len(c.results) != results {
		err = fmt.Errorf("gave %d results, declared %d", len(c.results), results)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", b.name, err)
	}
	return nil
}

// pass collects the arguments of an import in the instance's one Call.
func (f *frame) pass(site *callSite) *Call {
	s := &f.scratch
	s.words, s.refs = s.words[:0], s.refs[:0]
	for _, a := range site.arguments {
		switch a.kind {
		case Reference:
			s.refs = append(s.refs, f.take(a.register))
		case I64, F64:
			s.words = append(s.words, f.get64(a.register))
		default:
			s.words = append(s.words, uint64(f.cells[a.register]))
		}
	}
	s.call = Call{ctx: f.ctx, words: s.words, refs: s.refs, spans: site.spans, results: s.call.results[:0]}
	return &s.call
}

// put writes a value to a register.
func (f *frame) put(to operand, v Value) {
	switch to.kind {
	case Reference:
		f.setRef(to.register, v.Ref)
	case I64, F64:
		f.set64(to.register, v.Bits)
	default:
		f.cells[to.register] = uint32(v.Bits)
	}
}

// peek reads a register.
func (f *frame) peek(from operand) Value {
	switch from.kind {
	case Reference:
		return RefValue(f.ref(from.register))
	case I64, F64:
		return Value{Kind: from.kind, Bits: f.get64(from.register)}
	default:
		return Value{Kind: from.kind, Bits: uint64(f.cells[from.register])}
	}
}
