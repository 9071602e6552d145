package params

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/runtime/native/hal"
	"github.com/mlxc/mlxc/runtime/native/pages"
	"github.com/mlxc/mlxc/runtime/native/vm"
)

// tables are the three tables that name ranges of parameters.
func tables(ranges ...span) (keys, data, spans *vm.Buffer) {
	keys, data, spans = &vm.Buffer{}, &vm.Buffer{}, &vm.Buffer{}
	for _, r := range ranges {
		keys.Bytes = binary.LittleEndian.AppendUint32(keys.Bytes, uint32(len(data.Bytes)))
		keys.Bytes = binary.LittleEndian.AppendUint32(keys.Bytes, uint32(len(r.key)))
		data.Bytes = append(data.Bytes, r.key...)
		for _, v := range []uint64{r.offset, r.bufferOffset, r.length} {
			spans.Bytes = binary.LittleEndian.AppendUint64(spans.Bytes, v)
		}
	}
	return keys, data, spans
}

// fixture has the parameters "read" and "write" in scope "model".
type fixture struct {
	vm.Library
	allocator   *hal.Allocator
	read, write []byte
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{allocator: hal.NewAllocator()}
	f.read, f.write = f.buffer(t, "0123456789").Bytes(), f.buffer(t, "..........").Bytes()
	f.Library = Library(f.allocator, func(scope, key string) (Parameter, bool) {
		switch scope + "/" + key {
		case "model/read":
			return Parameter{f.read, false}, true
		case "model/write":
			return Parameter{f.write, true}, true
		}
		return Parameter{}, false
	})
	return f
}

func (f *fixture) buffer(t *testing.T, content string) *hal.Buffer {
	t.Helper()
	b, err := f.allocator.Allocate(uint64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	copy(b.Bytes(), content)
	return b
}

var model = &vm.Buffer{Bytes: []byte("model")}

func (f *fixture) load(t *testing.T, ranges ...span) ([]vm.Value, error) {
	k, d, s := tables(ranges...)
	return f.Invoke(t.Context(), "load", nil, 0, nil, nil, model, 0, 0, 0, k, d, s)
}

func TestLoad(t *testing.T) {
	f := newFixture(t)
	results, err := f.load(t, span{key: "read", length: 10}, span{key: "read", offset: 3, length: 4})
	if err != nil {
		t.Fatal(err)
	}
	list := results[0].Ref.(*vm.List)
	whole, part := list.At(0).Ref.(*hal.Buffer), list.At(1).Ref.(*hal.Buffer)
	if string(whole.Bytes()) != "0123456789" || pages.Address(whole.Bytes()) != pages.Address(f.read) {
		t.Errorf("%q, want the parameter itself", whole.Bytes())
	}
	if string(part.Bytes()) != "3456" || pages.Address(part.Bytes())%hal.Alignment != 0 {
		t.Errorf("%q at %#x, want an aligned copy", part.Bytes(), pages.Address(part.Bytes()))
	}
}

func TestGatherAndScatter(t *testing.T) {
	f := newFixture(t)
	b := f.buffer(t, "abcdefgh")
	k, d, s := tables(span{key: "read", offset: 2, bufferOffset: 1, length: 3}, span{key: "read", offset: 9, bufferOffset: 7, length: 1})
	if _, err := f.Invoke(t.Context(), "gather", nil, 0, nil, nil, model, b, k, d, s); err != nil {
		t.Fatal(err)
	}
	if got := string(b.Bytes()); got != "a234efg9" {
		t.Errorf("gathered %q", got)
	}
	k, d, s = tables(span{key: "write", offset: 5, bufferOffset: 1, length: 3})
	if _, err := f.Invoke(t.Context(), "scatter", nil, 0, nil, nil, b, model, k, d, s); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(f.write, []byte(".....234..")) {
		t.Errorf("scattered %q", f.write)
	}
}

func TestErrors(t *testing.T) {
	f := newFixture(t)
	b := f.buffer(t, "abcdefgh")
	transfer := func(function string, r span) error {
		k, d, s := tables(r)
		first, second := vm.Ref(model), vm.Ref(b)
		if function == "scatter" {
			first, second = b, model
		}
		_, err := f.Invoke(t.Context(), function, nil, 0, nil, nil, first, second, k, d, s)
		return err
	}
	_, noKey := f.load(t, span{key: "absent", length: 1})
	_, tooLong := f.load(t, span{key: "read", offset: 8, length: 3})
	k, d, s := tables(span{key: "read", length: 1})
	k.Bytes[4] = 200
	_, keyOutside := f.Invoke(t.Context(), "load", nil, 0, nil, nil, model, 0, 0, 0, k, d, s)
	k.Bytes = nil
	_, fewKeys := f.Invoke(t.Context(), "load", nil, 0, nil, nil, model, 0, 0, 0, k, d, s)
	k, d, s = tables(span{key: "read", length: 1})
	_, noProvider := Library(f.allocator, nil).Invoke(t.Context(), "load", nil, 0, nil, nil, nil, 0, 0, 0, k, d, s)
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"unknown key", noKey, `parameter "absent" of scope "model": no such parameter`},
		{"range too long", tooLong, `parameter "read" of scope "model": range of 3 bytes at 8 of 10`},
		{"key outside the data", keyOutside, "parameter key 0: range of 200 bytes"},
		{"fewer keys than ranges", fewKeys, "1 parameter ranges with 0 keys"},
		{"no provider", noProvider, "no such parameter"},
		{"gather beyond the buffer", transfer("gather", span{key: "read", bufferOffset: 6, length: 3}), "in the buffer: range of 3 bytes at 6 of 8"},
		{"scatter to a constant", transfer("scatter", span{key: "read", length: 3}), "can't be written"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, c.err, c.want)
		}
	}
}
