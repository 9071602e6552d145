package tokenizer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// parameters is what tokenizer.bin holds beside the tables.
type parameters struct {
	kind           modelKind
	byteLevel      bool
	byteFallback   bool
	bytes          [256]int32
	unk            int32
	fuseUnk        bool
	ignoreMerges   bool
	cut            bool // pieces may be cut, see cuts
	prefix, suffix []int32
	normalizers    []component
	preTokenizers  []component
	decoders       []component
	added          []addedToken
}

// checkIDs makes sure that every id is below n.
func (p *parameters) checkIDs(n uint32) error {
	ids := slices.Concat(p.prefix, p.suffix)
	for _, a := range p.added {
		ids = append(ids, a.id)
		if a.content == "" {
			return errors.New("empty added token")
		}
	}
	for _, id := range append(p.bytes[:], p.unk) {
		if id != -1 {
			ids = append(ids, id)
		}
	}
	for _, id := range ids {
		if uint32(id) >= n {
			return fmt.Errorf("id %d in a vocabulary of %d", id, n)
		}
	}
	return nil
}

// visit passes every field to c, which reads or writes it.
func (p *parameters) visit(c *codec) {
	c.int32((*int32)(&p.kind))
	for i := range p.bytes {
		c.int32(&p.bytes[i])
	}
	c.int32(&p.unk)
	for _, flag := range []*bool{&p.byteLevel, &p.byteFallback, &p.fuseUnk, &p.ignoreMerges, &p.cut} {
		c.bool(flag)
	}
	for _, ids := range []*[]int32{&p.prefix, &p.suffix} {
		visitList(c, ids, maxStages, (*codec).int32)
	}
	for _, list := range []*[]component{&p.normalizers, &p.preTokenizers, &p.decoders} {
		visitList(c, list, maxStages, visitComponent)
	}
	visitList(c, &p.added, maxAdded, visitAdded)
}

func visitComponent(c *codec, v *component) {
	text := string(v.text)
	c.string(&text, maxComponent)
	if c.reading && c.err == nil {
		*v, c.err = newComponent([]byte(text))
	}
}

func visitAdded(c *codec, a *addedToken) {
	c.int32(&a.id)
	c.string(&a.content, maxComponent)
	for _, flag := range []*bool{&a.special, &a.skipped, &a.normalized, &a.singleWord, &a.lstrip, &a.rstrip} {
		c.bool(flag)
	}
}

// codec reads or writes fields: numbers as little-endian uint32, strings and lists
// with their length before them. After an error it reads zeros.
type codec struct {
	buf     []byte // what is left to read, or what was written
	reading bool
	err     error
}

func (c *codec) int32(v *int32) {
	switch {
	case !c.reading:
		c.buf = binary.LittleEndian.AppendUint32(c.buf, uint32(*v))
	case len(c.buf) < 4:
		c.buf, *v = nil, 0
		c.err = errors.New("parameters are cut short")
	default:
		*v = int32(binary.LittleEndian.Uint32(c.buf))
		c.buf = c.buf[4:]
	}
}

func (c *codec) bool(v *bool) {
	var n int32
	if *v {
		n = 1
	}
	c.int32(&n)
	*v = n != 0
}

func (c *codec) string(v *string, limit int) {
	n := c.length(len(*v), limit, 1)
	if !c.reading {
		c.buf = append(c.buf, *v...)
		return
	}
	*v = string(c.buf[:n])
	c.buf = c.buf[n:]
}

// length passes the length of a string or list whose elements take size bytes or more.
func (c *codec) length(n, limit, size int) int {
	v := int32(n)
	c.int32(&v)
	if c.reading && (v < 0 || int(v) > limit || int(v) > len(c.buf)/size) {
		c.err = fmt.Errorf("parameters have a length of %d", v)
		c.buf, v = nil, 0
	}
	return int(v)
}

func visitList[T any](c *codec, list *[]T, limit int, visit func(*codec, *T)) {
	n := c.length(len(*list), limit, 4)
	if c.reading {
		*list = make([]T, n)
	}
	for i := range *list {
		visit(c, &(*list)[i])
	}
}

func readParameters(b []byte) (*parameters, error) {
	p := &parameters{}
	c := &codec{buf: b, reading: true}
	p.visit(c)
	return p, c.err
}

func (p *parameters) marshal() []byte {
	c := &codec{}
	p.visit(c)
	return c.buf
}
