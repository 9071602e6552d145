package tokenizer

import (
	"encoding/binary"
	"fmt"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Limits of a pattern: real ones need at most 72 instructions, 30 states and 26 classes.
const (
	maxPatternLen = 2048
	maxInsts      = 1 << 10 // instructions of the program
	maxRuneSets   = 64      // distinct character classes
	maxStates     = 1 << 10
	maxSteps      = 1 << 20 // threads advanced while the automaton is built
)

// dfa is a compiled split pattern: a deterministic automaton over classes of runes,
// so that matching takes one table look-up a rune whatever the text is. It finds what
// a backtracking engine would (alternatives in order, greedy operators as long as
// they may be). It is immutable.
//
// A state is the ordered list of threads that a backtracking engine would try. The
// table is indexed by state and class of the next rune, where the end of the text is
// a class of its own; an entry is the next state shifted left by one, and its lowest
// bit says that the text *before* that rune is a match. So an assertion about the
// next rune costs nothing.
type dfa struct {
	ascii   [utf8.RuneSelf]uint8
	page    [(maxRune + 1) >> 8]uint16 // rune>>8 → block
	block   [][256]uint8               // rune&255 → class
	classes int                        // the last one is the end of the text
	table   []uint16
}

const (
	deadState  = 0
	startState = 1
)

// compilePattern compiles a pattern in Oniguruma's syntax.
func compilePattern(pattern string) (*dfa, error) {
	if len(pattern) > maxPatternLen {
		return nil, fmt.Errorf("pattern of %d bytes: the limit is %d", len(pattern), maxPatternLen)
	}
	text, err := goSyntax(pattern)
	if err != nil {
		return nil, err
	}
	re, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", pattern, err)
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", pattern, err)
	}
	d, err := buildDFA(prog)
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", pattern, err)
	}
	return d, nil
}

// find returns the first match in s at or after pos, as byte offsets. Matches are
// never empty; start = len(s) if there is none.
func (d *dfa) find(s string, pos int) (start, end int) {
	for start = pos; start < len(s); {
		class, size := d.next(s, start)
		if d.table[startState*d.classes+class]>>1 != deadState {
			if end = d.match(s, start); end >= 0 {
				return start, end
			}
		}
		start += size
	}
	return len(s), len(s)
}

// match returns the end of the match that begins at pos, -1 if there is none.
func (d *dfa) match(s string, pos int) int {
	end, state := -1, startState
	for i := pos; ; {
		class, size := d.next(s, i)
		entry := d.table[state*d.classes+class]
		if entry&1 != 0 {
			end = i
		}
		if state = int(entry >> 1); state == deadState {
			return end
		}
		i += size
	}
}

// next returns the class of the rune at s[i:] and its size in bytes.
func (d *dfa) next(s string, i int) (class, size int) {
	if i >= len(s) {
		return d.classes - 1, 0
	}
	if c := s[i]; c < utf8.RuneSelf {
		return int(d.ascii[c]), 1
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	return d.classOf(r), size
}

func (d *dfa) classOf(r rune) int { return int(d.block[d.page[r>>8]][r&255]) }

// dfaBuilder turns the program of a pattern into a dfa by the subset construction,
// with threads kept in order of priority.
type dfaBuilder struct {
	prog   *syntax.Prog
	sets   []runeSet // distinct rune sets of the program; the first one is white space
	setOf  []int     // instruction → its set
	member []uint64  // class → bits of the sets that hold its runes; 0 for the end
	dfa    *dfa
	states map[string]int
	queue  [][]uint32
	steps  int
	seen   []bool // scratch of one step: instructions that are on the next list
	tried  []bool // scratch of one step: assertions that were followed
}

func buildDFA(prog *syntax.Prog) (*dfa, error) {
	if len(prog.Inst) > maxInsts {
		return nil, fmt.Errorf("a program of %d instructions: the limit is %d", len(prog.Inst), maxInsts)
	}
	b := &dfaBuilder{
		prog:   prog,
		dfa:    &dfa{},
		states: map[string]int{},
		seen:   make([]bool, len(prog.Inst)),
		tried:  make([]bool, len(prog.Inst)),
	}
	if err := b.collectSets(); err != nil {
		return nil, err
	}
	if err := b.partition(); err != nil {
		return nil, err
	}
	if err := b.explore(); err != nil {
		return nil, err
	}
	for class := range b.dfa.classes {
		if b.dfa.table[startState*b.dfa.classes+class]&1 != 0 {
			return nil, fmt.Errorf("it matches the empty string, which is not supported")
		}
	}
	return b.dfa, nil
}

// collectSets finds the distinct rune sets and refuses assertions.
func (b *dfaBuilder) collectSets() error {
	b.sets = []runeSet{mustSet("hf:space")}
	b.setOf = make([]int, len(b.prog.Inst))
	for pc := range b.prog.Inst {
		inst := &b.prog.Inst[pc]
		if inst.Op == syntax.InstEmptyWidth && syntax.EmptyOp(inst.Arg) != opLookahead {
			return fmt.Errorf("an anchor is not supported")
		}
		set, ok := instSet(inst)
		if !ok {
			continue
		}
		i := slices.IndexFunc(b.sets, func(s runeSet) bool { return slices.Equal(s, set) })
		if i < 0 {
			i = len(b.sets)
			b.sets = append(b.sets, set)
		}
		b.setOf[pc] = i
	}
	if len(b.sets) > maxRuneSets {
		return fmt.Errorf("%d different character classes: the limit is %d", len(b.sets), maxRuneSets)
	}
	return nil
}

// instSet returns the runes that an instruction consumes.
func instSet(inst *syntax.Inst) (runeSet, bool) {
	switch inst.Op {
	case syntax.InstRuneAny:
		return runeSet{{0, maxRune}}, true
	case syntax.InstRuneAnyNotNL:
		return runeSet{{0, '\n' - 1}, {'\n' + 1, maxRune}}, true
	case syntax.InstRune, syntax.InstRune1:
	default:
		return nil, false
	}
	if len(inst.Rune) == 1 { // a literal
		r := inst.Rune[0]
		set := runeSet{{r, r}}
		if syntax.Flags(inst.Arg)&syntax.FoldCase != 0 {
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				set = append(set, [2]rune{f, f})
			}
			slices.SortFunc(set, func(x, y [2]rune) int { return int(x[0] - y[0]) })
		}
		return set, true
	}
	set := make(runeSet, len(inst.Rune)/2)
	for i := range set {
		set[i] = [2]rune{inst.Rune[2*i], inst.Rune[2*i+1]}
	}
	return set, true
}

// partition finds the classes: runes that are in the same sets are one class.
func (b *dfaBuilder) partition() error {
	bounds := []rune{0, maxRune + 1}
	for _, set := range b.sets {
		for _, r := range set {
			bounds = append(bounds, r[0], r[1]+1)
		}
	}
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)
	bits := make([]uint64, len(bounds)-1) // by interval
	for i, set := range b.sets {
		for _, r := range set {
			k, _ := slices.BinarySearch(bounds, r[0])
			for ; bounds[k] <= r[1]; k++ {
				bits[k] |= 1 << i
			}
		}
	}
	classOf := map[uint64]uint8{}
	class := make([]uint8, len(bits))
	for k, m := range bits {
		c, ok := classOf[m]
		if !ok {
			if len(b.member) == 255 {
				return fmt.Errorf("more than 255 classes of runes")
			}
			c = uint8(len(b.member))
			classOf[m] = c
			b.member = append(b.member, m)
		}
		class[k] = c
	}
	b.member = append(b.member, 0)
	b.dfa.classes = len(b.member)
	b.dfa.fill(bounds, class)
	return nil
}

// fill builds the rune → class table out of intervals. Block c is all class c; other
// blocks are for pages that hold several classes.
func (d *dfa) fill(bounds []rune, class []uint8) {
	d.block = make([][256]uint8, d.classes-1)
	for c := range d.block {
		for i := range d.block[c] {
			d.block[c][i] = uint8(c)
		}
	}
	k := 0
	for p := range d.page {
		first := rune(p) << 8
		for bounds[k+1] <= first {
			k++
		}
		if bounds[k+1] >= first+256 {
			d.page[p] = uint16(class[k])
			continue
		}
		d.page[p] = uint16(len(d.block))
		var block [256]uint8
		for i, at := 0, k; i < 256; i++ {
			for bounds[at+1] <= first+rune(i) {
				at++
			}
			block[i] = class[at]
		}
		d.block = append(d.block, block)
	}
	for c := range d.ascii {
		d.ascii[c] = uint8(d.classOf(rune(c)))
	}
}

// explore computes the transitions of all states that can be reached.
func (b *dfaBuilder) explore() error {
	b.state(nil) // deadState
	var start []uint32
	b.follow(&start, uint32(b.prog.Start))
	clear(b.seen)
	b.state(start)
	for s := 0; s < len(b.queue); s++ {
		for class := range b.member {
			if b.steps += len(b.queue[s]) + len(b.seen)/64; len(b.queue) > maxStates || b.steps > maxSteps {
				return fmt.Errorf("it is too complex: %d states, %d steps", len(b.queue), b.steps)
			}
			next, accept := b.step(b.queue[s], class)
			entry := uint16(b.state(next) << 1)
			if accept {
				entry |= 1
			}
			b.dfa.table = append(b.dfa.table, entry)
		}
	}
	return nil
}

// state returns the number of the state with these threads.
func (b *dfaBuilder) state(threads []uint32) int {
	key := make([]byte, 0, 4*len(threads))
	for _, pc := range threads {
		key = binary.LittleEndian.AppendUint32(key, pc)
	}
	n, ok := b.states[string(key)]
	if !ok {
		n = len(b.queue)
		b.states[string(key)] = n
		b.queue = append(b.queue, threads)
	}
	return n
}

// step runs the threads over one rune of a class.
func (b *dfaBuilder) step(threads []uint32, class int) (next []uint32, accept bool) {
	clear(b.seen)
	clear(b.tried)
	for _, pc := range threads {
		if b.advance(&next, pc, class) {
			return next, true // threads of lower priority are cut
		}
	}
	return next, false
}

// advance runs one thread over a rune of a class and adds what follows to next. It
// returns true when the thread has matched before that rune.
func (b *dfaBuilder) advance(next *[]uint32, pc uint32, class int) bool {
	inst := &b.prog.Inst[pc]
	switch inst.Op {
	case syntax.InstMatch:
		return true
	case syntax.InstEmptyWidth:
		end := class == len(b.member)-1
		if b.tried[pc] || !end && b.member[class]&1 == 0 {
			return false
		}
		b.tried[pc] = true
		seen := b.seen
		b.seen = make([]bool, len(seen))
		var threads []uint32
		b.follow(&threads, inst.Out)
		b.seen = seen
		for _, pc := range threads {
			if b.advance(next, pc, class) {
				return true
			}
		}
	default:
		if b.member[class]>>b.setOf[pc]&1 != 0 {
			b.follow(next, inst.Out)
		}
	}
	return false
}

// follow adds the instructions that wait for a rune, an assertion or the end of the
// match and that can be reached from pc, in order of priority.
func (b *dfaBuilder) follow(list *[]uint32, pc uint32) {
	if b.seen[pc] {
		return
	}
	b.seen[pc] = true
	inst := &b.prog.Inst[pc]
	switch inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		b.follow(list, inst.Out)
		b.follow(list, inst.Arg)
	case syntax.InstCapture, syntax.InstNop:
		b.follow(list, inst.Out)
	case syntax.InstFail:
	default:
		*list = append(*list, pc)
	}
}
