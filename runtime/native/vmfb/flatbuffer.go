package vmfb

import (
	"encoding/binary"
	"fmt"
)

// reader reads a FlatBuffer: tables that point at their vtable, which holds the
// offset of each field. The first error sticks; after it every read returns zero.
type reader struct {
	data   []byte
	err    error
	budget int // bytes of content that may still be read: parts may overlap, and that must not multiply
}

// table is the position of a table, 0 for one that is absent.
type table struct {
	*reader
	at int
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("vmfb: "+format, args...)
	}
}

// bytes returns n bytes at a position.
func (r *reader) bytes(at, n int) []byte {
	if r.err != nil || at < 0 || n < 0 || at > len(r.data) || n > len(r.data)-at {
		r.fail("%d bytes at %d run over the end of the module's %d bytes", n, at, len(r.data))
		return nil
	}
	return r.data[at : at+n]
}

// content is bytes that count against the budget.
func (r *reader) content(at, n int) []byte {
	b := r.bytes(at, n)
	if r.budget -= len(b); r.budget < 0 {
		r.fail("parts of the module overlap")
		return nil
	}
	return b
}

func (r *reader) u16(at int) uint16 {
	if b := r.bytes(at, 2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (r *reader) u32(at int) uint32 {
	if b := r.bytes(at, 4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) u64(at int) uint64 {
	if b := r.bytes(at, 8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// follow returns the position that the offset at a position leads to.
func (r *reader) follow(at int) int { return at + int(r.u32(at)) }

func (r *reader) root() table { return table{r, r.follow(0)} }

// field returns the position of a field, 0 if the table doesn't have it.
func (t table) field(id int) int {
	if t.at == 0 || t.err != nil {
		return 0
	}
	vtable := t.at - int(int32(t.u32(t.at)))
	entry := 4 + 2*id
	if entry+2 > int(t.u16(vtable)) {
		return 0
	}
	offset := int(t.u16(vtable + entry))
	if offset == 0 {
		return 0
	}
	return t.at + offset
}

func (t table) fieldU32(id int, absent uint32) uint32 {
	if at := t.field(id); at != 0 {
		return t.u32(at)
	}
	return absent
}

func (t table) fieldU64(id int) uint64 {
	if at := t.field(id); at != 0 {
		return t.u64(at)
	}
	return 0
}

// vector returns the position of the first element and the number of elements.
func (t table) vector(id, elementSize int) (at, n int) {
	field := t.field(id)
	if field == 0 {
		return 0, 0
	}
	at = t.follow(field)
	n = int(t.u32(at))
	if n > len(t.data)/elementSize || t.content(at+4, n*elementSize) == nil {
		t.fail("vector of %d elements is larger than the module", n)
		return 0, 0
	}
	return at + 4, n
}

// blob is a vector of bytes.
func (t table) blob(id int) []byte {
	at, n := t.vector(id, 1)
	return t.bytes(at, n)
}

func (t table) str(id int) string { return string(t.blob(id)) }

func (t table) table(id int) table {
	if at := t.field(id); at != 0 {
		return table{t.reader, t.follow(at)}
	}
	return table{t.reader, 0}
}

// tables is a vector of tables.
func (t table) tables(id int) []table {
	at, n := t.vector(id, 4)
	ts := make([]table, n)
	for i := range ts {
		ts[i] = table{t.reader, t.follow(at + 4*i)}
	}
	return ts
}
