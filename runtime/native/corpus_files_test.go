package native

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/runtime/native/hal"
)

// corpusModule is a file of the corpus. Comment lines at its top say what the test
// needs to know:
//
//	// args: 4x8xf32 i32<5         types as iree-run-module spells them; "<n" bounds integers
//	// variants: default O3        flag sets; without this line: default
//	// parameters: model w=4xf32   external parameters: scope, then keys with types
//	// aliases: 1=0                result 1 must be the memory of argument 0
type corpusModule struct {
	name       string
	source     []byte
	args       []testTensor
	variants   []string
	scope      string
	parameters map[string]testTensor
	aliases    map[int]int
}

// testTensor is random bytes of a type.
type testTensor struct {
	typ   string // "4x8xf32"
	shape []int64
	data  []byte
}

func readCorpus(t *testing.T) []corpusModule {
	t.Helper()
	files, err := filepath.Glob("testdata/corpus/*.mlir")
	if err != nil {
		t.Fatal(err)
	}
	var modules []corpusModule
	for _, f := range files {
		modules = append(modules, corpusNamed(t, strings.TrimSuffix(filepath.Base(f), ".mlir")))
	}
	return modules
}

func corpusNamed(t *testing.T, name string) corpusModule {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("testdata/corpus", name+".mlir"))
	if err != nil {
		t.Fatal(err)
	}
	m := corpusModule{name: name, source: source, variants: []string{"default"}, aliases: map[int]int{}}
	seed := fnv.New64a()
	seed.Write([]byte(name))
	random := rand.New(rand.NewPCG(seed.Sum64(), 0))
	for line := range strings.Lines(string(source)) {
		key, value, ok := strings.Cut(strings.TrimPrefix(line, "// "), ":")
		if !strings.HasPrefix(line, "// ") {
			break
		}
		if ok && !strings.Contains(key, " ") {
			m.readHeader(t, key, strings.Fields(value), random)
		}
	}
	return m
}

func (m *corpusModule) readHeader(t *testing.T, key string, words []string, random *rand.Rand) {
	t.Helper()
	switch key {
	case "args":
		for _, w := range words {
			m.args = append(m.args, newTensor(t, w, random))
		}
	case "variants":
		m.variants = words
		for _, v := range words {
			if variantFlags[v] == nil {
				t.Fatalf("%s: unknown variant %q", m.name, v)
			}
		}
	case "parameters":
		m.scope, m.parameters = words[0], map[string]testTensor{}
		for _, w := range words[1:] {
			key, typ, _ := strings.Cut(w, "=")
			m.parameters[key] = newTensor(t, typ, random)
		}
	case "aliases":
		for _, w := range words {
			result, argument, _ := strings.Cut(w, "=")
			m.aliases[number(t, result)] = number(t, argument)
		}
	default:
		t.Fatalf("%s: unknown header %q", m.name, key)
	}
}

func number(t testing.TB, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// elementType is what the test knows of an element type.
type elementType struct {
	number      uint32 // IREE's
	size        int
	safetensors string
	put         func(b []byte, random *rand.Rand, bound uint64)
}

var elementTypes = map[string]elementType{
	"f64": {hal.Float64, 8, "F64", func(b []byte, r *rand.Rand, _ uint64) { le.PutUint64(b, math.Float64bits(r.NormFloat64())) }},
	"f32": {hal.Float32, 4, "F32", func(b []byte, r *rand.Rand, _ uint64) { le.PutUint32(b, math.Float32bits(float32(r.NormFloat64()))) }},
	"f16": {hal.Float16, 2, "F16", func(b []byte, r *rand.Rand, _ uint64) { le.PutUint16(b, uint16(0x3000+r.IntN(0xc00)|r.IntN(2)<<15)) }}, // ±[0.125, 1)
	"bf16": {hal.BFloat16, 2, "BF16", func(b []byte, r *rand.Rand, _ uint64) {
		le.PutUint16(b, uint16(math.Float32bits(float32(r.NormFloat64()))>>16))
	}},
	"i1":   {hal.Bool, 1, "BOOL", func(b []byte, r *rand.Rand, _ uint64) { b[0] = byte(r.IntN(2)) }},
	"i8":   {hal.Int8, 1, "I8", putInteger},
	"i16":  {hal.Int16, 2, "I16", putInteger},
	"i32":  {hal.Int32, 4, "I32", putInteger},
	"i64":  {hal.Int64, 8, "I64", putInteger},
	"ui8":  {hal.Uint8, 1, "U8", putInteger},
	"ui32": {hal.Uint32, 4, "U32", putInteger},
	"ui64": {hal.Uint64, 8, "U64", putInteger},
}

var le = binary.LittleEndian

func putInteger(b []byte, r *rand.Rand, bound uint64) {
	v := r.Uint64()
	if bound > 0 {
		v %= bound
	}
	var word [8]byte
	le.PutUint64(word[:], v)
	copy(b, word[:])
}

func (a testTensor) elementName() string { return a.typ[strings.LastIndex(a.typ, "x")+1:] }

func (a testTensor) element() elementType { return elementTypes[a.elementName()] }

// newTensor makes random content for a type such as "4x8xf32" or "3xi32<10".
func newTensor(t testing.TB, spec string, random *rand.Rand) testTensor {
	t.Helper()
	typ, limit, _ := strings.Cut(spec, "<")
	bound := 0
	if limit != "" {
		bound = number(t, limit)
	}
	a := testTensor{typ: typ}
	e, ok := elementTypes[a.elementName()]
	if !ok {
		t.Fatalf("unknown type %q", typ)
	}
	n := 1
	dims := strings.Split(typ, "x")
	for _, d := range dims[:len(dims)-1] {
		a.shape = append(a.shape, int64(number(t, d)))
		n *= number(t, d)
	}
	a.data = make([]byte, n*e.size)
	for i := range n {
		e.put(a.data[i*e.size:(i+1)*e.size], random, uint64(bound))
	}
	return a
}

// safetensors writes tensors in that format, for iree-run-module.
func safetensors(t testing.TB, tensors map[string]testTensor) []byte {
	t.Helper()
	type entry struct {
		DType   string  `json:"dtype"`
		Shape   []int64 `json:"shape"`
		Offsets [2]int  `json:"data_offsets"`
	}
	index := map[string]entry{}
	var data bytes.Buffer
	for _, key := range slices.Sorted(maps.Keys(tensors)) {
		a := tensors[key]
		begin := data.Len()
		data.Write(a.data)
		index[key] = entry{a.element().safetensors, append([]int64{}, a.shape...), [2]int{begin, data.Len()}}
	}
	header, err := json.Marshal(index)
	if err != nil {
		t.Fatal(err)
	}
	for len(header)%64 != 56 {
		header = append(header, ' ')
	}
	return slices.Concat(le.AppendUint64(nil, uint64(len(header))), header, data.Bytes())
}
