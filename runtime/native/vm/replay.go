package vm

import "slices"

// Replays. A decoder's step calls the same function with the same buffers for every
// token; what differs are a few numbers, such as the position, that the function
// reads from device memory. So the second call of an exported function is recorded:
// which imports it called, with what, and what it computed of the numbers that it had
// read. The following calls replay that, as long as their arguments are the same
// objects: they read the numbers, compute, and execute command buffers, but record
// none and check no argument again.
//
// A function is recorded only if it consists of what is known to be replayable: it
// doesn't branch on numbers that it reads, calls no function of its own module, and
// touches no lists or buffers of the virtual machine.

// Replay says what becomes of an import's calls when their caller is replayed.
type Replay int

const (
	Never  Replay = iota // callers can't be replayed
	Once                 // left out: the same arguments have the same results, and objects keep what it did
	Memory               // hands out or takes back memory: called before all others, results must be the same objects
	Again                // called again; its results are numbers
)

// replayKind says what an instruction means to a recording.
type replayKind uint8

const (
	notReplayed replayKind = iota
	defines                // its registers are results, always the same
	computes               // its last register is a function of the others
	decides                // does the same if its cells are known
	callsOut
	returns
)

// Symbol stands for a number that a recorded call doesn't know: the next one reads
// another. The zero Symbol is a known number.
type Symbol struct {
	cell uint16
	kind Kind
}

// Known says that the number is the same in every replay.
func (s Symbol) Known() bool { return s.kind == 0 }

// recording is what a function did.
type recording struct {
	arguments []Value  // what a replay must have
	stores    uint64   // to globals that had been made
	memory    []*event // calls of Memory, in order
	steps     []step   // calls of Again, and computations
	results   []Value
	frame     frame // its cells are all numbers that aren't known, and what they're combined with
}

// step is an instruction on the recording's cells, or an event.
type step struct {
	in    instruction
	event *event
}

// event is a call of an import.
type event struct {
	imported *binding
	words    []uint64
	symbols  []Symbol // of words
	refs     []Ref
	spans    []int
	results  []Value  // of Memory
	numbers  []Symbol // where the results go, of Again
}

// replays is what an exported function remembers of its calls.
type replays struct {
	recording *recording
	called    bool // at least once
	misses    int  // recordings that didn't fit the following call, since one did
}

// maxMisses is how often a function is recorded in vain before it's left alone.
const maxMisses = 8

// replay does what was recorded, if the arguments are the same and the same memory
// is to be had; done says whether.
func (in *Instance) replay(r *recording, arguments []Value) (done bool, err error) {
	if r.stores != in.stores || !slices.Equal(r.arguments, arguments) {
		return false, nil
	}
	for _, e := range r.memory {
		c := e.call(r)
		if err := e.run(c); err != nil {
			return true, err
		}
		if !slices.Equal(c.results, e.results) {
			return false, nil
		}
	}
	for i := range r.steps {
		if err := r.steps[i].run(r); err != nil {
			return true, err
		}
	}
	return true, nil
}

func (s *step) run(r *recording) error {
	if s.event == nil {
		return s.in.exec(&r.frame, &s.in)
	}
	c := s.event.call(r)
	if err := s.event.run(c); err != nil {
		return err
	}
	for i, to := range s.event.numbers {
		r.frame.put(operand{to.kind, to.cell}, c.results[i])
	}
	return nil
}

// call prepares the instance's one Call.
func (e *event) call(r *recording) *Call {
	for i, s := range e.symbols {
		if !s.Known() {
			e.words[i] = r.frame.number(s)
		}
	}
	c := &r.frame.scratch.call
	*c = Call{ctx: r.frame.ctx, words: e.words, refs: e.refs, spans: e.spans, results: c.results[:0], replayed: r, expected: e.results}
	return c
}

func (e *event) run(c *Call) error { return e.imported.call(c, len(e.results)+len(e.numbers)) }

// number reads the value of a symbol.
func (f *frame) number(s Symbol) uint64 {
	if s.kind == I64 || s.kind == F64 {
		return f.get64(s.cell)
	}
	return uint64(f.cells[s.cell])
}

// Recording says whether the caller is being recorded: objects that the function
// makes will be used again by replays.
func (c *Call) Recording() bool { return c.symbols != nil }

// Symbol tells about the number that was read last. A function of Once that keeps a
// number must ask, keep the symbol, and look it up in every replay.
func (c *Call) Symbol() Symbol {
	if c.symbols == nil {
		return Symbol{}
	}
	s := c.symbols[len(c.symbols)-len(c.words)-1]
	if !s.Known() {
		c.claimed++
	}
	return s
}

// Number is the value of a symbol in this replay; ok is false outside of replays.
func (c *Call) Number(s Symbol) (v uint64, ok bool) {
	if c.replayed == nil {
		return 0, false
	}
	return c.replayed.frame.number(s), true
}

// Expected is the reference that a function of Memory returned when it was recorded,
// nil outside of replays.
func (c *Call) Expected() Ref {
	if len(c.expected) == 0 {
		return nil
	}
	return c.expected[0].Ref
}
