package bundle

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sys/unix"

	"github.com/mlxc/mlxc/ir/rope"
)

// sample is a small manifest of every graph kind and its entries' payloads.
func sample() (Manifest, map[string][]byte) {
	m := Manifest{
		Format: FormatVersion, Generator: "mlxc-emit test", IRVersion: 1, StableHLO: "1.0.0",
		Model:   Model{Name: "tiny", ModelType: "llama", Vocab: 11, Context: 20, Capacity: 48, Slots: 3, ChunkAlign: 1, BOS: -1, Parameters: 44},
		Compile: Compile{Target: "llvm-cpu", Compiler: "3.13.0", Flags: []string{"-O3"}, Devices: []string{"native"}},
		Plan:    Plan{"dense", "f32", "f16"},
		Stop:    []Stop{{2, []string{"config.json"}}, {7, []string{"generation_config.json"}}},
		RoPE:    []rope.Params{{Kind: rope.Default, Theta: 1e4, Dim: 4}},
		State:   []State{{"layer0.key", "f16", []int{3, 48, 4}, 0, true}},
		Weights: []Weight{{"embed.weight", "f32", []int{11, 4}}, {"a/" + strings.Repeat("long", 40) + ".weight", "f16", []int{3, 5}}, {"scalar", "i8", []int{}}},
	}
	for _, g := range []struct {
		kind, name string
		rows, span int
	}{{"prefill", "prefill_c16", 16, 0}, {"decode", "decode", 1, 0}, {"ragged", "ragged_b2", 2, 0}, {"decode", "decode_s16", 1, 16}} {
		m.Graphs = append(m.Graphs, Graph{Name: g.name, Kind: g.kind, Rows: g.rows, Span: g.span, Module: g.kind})
	}
	files := map[string][]byte{TokenizerJSON: []byte(`{"model":{}}`), Config: []byte("{}")}
	for i := range m.Graphs {
		g := &m.Graphs[i]
		g.Args, g.Results = m.wantArgs(g), m.wantResults(g)
		files[m.VMFB(Level{}, g.Module)] = bytes.Repeat([]byte(g.Module), 99)
		files[MLIR(g.Name)] = zip("module @" + g.Name)
	}
	for i, w := range m.Weights {
		t, _ := tensorType(w.DType, w.Shape)
		files[WeightEntry(w.Name)] = bytes.Repeat([]byte{byte(i + 1)}, t.Bytes())
	}
	for _, g := range m.Graphs {
		m.Entries = append(m.Entries, entryOf(files, MLIR(g.Name)))
	}
	for _, module := range []string{"prefill", "decode", "ragged"} {
		m.Entries = append(m.Entries, entryOf(files, m.VMFB(Level{}, module)))
	}
	m.Entries = append(m.Entries, entryOf(files, TokenizerJSON), entryOf(files, Config))
	for _, w := range m.Weights {
		m.Entries = append(m.Entries, entryOf(files, WeightEntry(w.Name)))
	}
	return m, files
}

func entryOf(files map[string][]byte, name string) Entry {
	return Entry{Name: name, Size: int64(len(files[name]))}
}

func zip(s string) []byte {
	w, _ := zstd.NewWriter(nil)
	return w.EncodeAll([]byte(s), nil)
}

// write makes the bundle at path, entries in parallel.
func write(t testing.TB, path string, m Manifest, files map[string][]byte) {
	t.Helper()
	w, err := Create(path, m)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	var wg sync.WaitGroup
	for name, data := range files {
		wg.Go(func() {
			err := w.Write(name, func(out io.Writer) error {
				for chunk := range slices.Chunk(data, 7) {
					if _, err := out.Write(chunk); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if err := w.Seal(SelfCheck{Reason: "not yet"}); err != nil {
		t.Fatal(err)
	}
	if b, err := Open(w.TempPath()); err != nil {
		t.Fatal("sealed bundle:", err)
	} else {
		b.Close()
	}
	if err := w.Seal(SelfCheck{Ran: true, MaxError: 1e-6}); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
}

func sampleFile(t testing.TB) string {
	m, files := sample()
	path := filepath.Join(t.TempDir(), "tiny.tar")
	write(t, path, m, files)
	return path
}

func TestRoundTrip(t *testing.T) {
	m, files := sample()
	path := filepath.Join(t.TempDir(), "tiny.tar")
	write(t, path, m, files)
	b, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	if !b.Manifest.SelfCheck.Ran || b.Manifest.Weights[1].Name != m.Weights[1].Name || b.WeightBytes() != 176+30+1 {
		t.Errorf("manifest came back as %+v", b.Manifest)
	}
	for name, want := range files {
		if got, err := b.Entry(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %.40q, %v", name, got, err)
		}
	}
	for i, w := range m.Weights {
		if got := b.Weight(i); !bytes.Equal(got, files[WeightEntry(w.Name)]) || b.spans[len(b.spans)-3+i].off%PageSize != 0 {
			t.Errorf("weight %d: %d bytes at %+v", i, len(got), b.spans[len(b.spans)-3+i].off)
		}
	}
	if text, err := b.Text("decode"); err != nil || string(text) != "module @decode" {
		t.Errorf("Text: %q, %v", text, err)
	}
	if _, err := b.Entry("nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("unknown entry: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// Other tars are the oracle of the outer format.
func TestTarReadsIt(t *testing.T) {
	m, files := sample()
	path := filepath.Join(t.TempDir(), "tiny.tar")
	write(t, path, m, files)
	var want []string
	for _, e := range m.Entries {
		want = append(want, e.Name)
	}
	want = append([]string{"manifest.toml"}, want...)

	out, err := exec.Command("tar", "tf", path).CombinedOutput()
	if err != nil || !slices.Equal(strings.Fields(string(out)), want) {
		t.Errorf("tar t: %v\n%s\nwant %q", err, out, want)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := tar.NewReader(f)
	for i, name := range want {
		h, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil || h.Name != name || h.Uid != 0 || h.Uname != "" || h.ModTime.Unix() != 0 || i > 0 && !bytes.Equal(data, files[name]) {
			t.Errorf("archive/tar: %+v, %d bytes, %v", h, len(data), err)
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("after the last entry: %v", err)
	}
}

func TestSameInputsSameBytes(t *testing.T) {
	var sums [2][32]byte
	for i := range sums {
		data, err := os.ReadFile(sampleFile(t))
		if err != nil {
			t.Fatal(err)
		}
		sums[i] = sha256.Sum256(data)
	}
	if sums[0] != sums[1] {
		t.Error("two writes of the same bundle differ")
	}
}

// Entries over 8 GiB need PAX sizes: the header must say the size to archive/tar.
func TestBigEntry(t *testing.T) {
	const size = 9 << 30
	_, spans, total, err := layout(8<<10, []Entry{{Name: "weights/big", Size: size}, {Name: "weights/next", Size: 1}})
	if err != nil {
		t.Fatal(err)
	}
	h, err := tar.NewReader(bytes.NewReader(spans[0].header)).Next()
	if err != nil || h.Size != size || spans[0].off%PageSize != 0 || spans[1].off < spans[0].off+size || total < size {
		t.Errorf("%+v at %+v: %v", h, spans, err)
	}
}

// Every damage outside weights is an error of Open or of a level's Modules; inside them
// of Verify.
func TestDamage(t *testing.T) {
	data, err := os.ReadFile(fleetFile(t))
	if err != nil {
		t.Fatal(err)
	}
	good, err := parse(data)
	if err != nil {
		t.Fatal(err)
	}
	weights := map[int]bool{}
	for i := range good.Manifest.Weights {
		s := good.spans[len(good.spans)-len(good.Manifest.Weights)+i]
		for at := s.off; at < s.off+s.size; at++ {
			weights[int(at)] = true
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 600 {
		at, bit := r.IntN(len(data)), byte(1)<<r.IntN(8)
		data[at] ^= bit
		b, err := parse(data)
		if err == nil {
			for _, l := range b.Manifest.Levels() {
				if _, e := b.Modules(t.Context(), l); e != nil {
					err = e
				}
			}
			if err == nil && !weights[at] {
				t.Errorf("bit %#x of byte %d flipped: accepted", bit, at)
			}
			err = b.Verify(t.Context())
		}
		if err == nil {
			t.Errorf("bit %#x of byte %d flipped: verified", bit, at)
		}
		data[at] ^= bit
	}
	for at := range weights {
		data[at] ^= 4
		if b, err := parse(data); err != nil {
			t.Errorf("weight byte %d flipped: Open: %v", at, err)
		} else if err := b.Verify(t.Context()); err == nil || !strings.Contains(err.Error(), "entry weights/") {
			t.Errorf("weight byte %d flipped: Verify: %v", at, err)
		}
		data[at] ^= 4
	}
	for n := 0; n < len(data); n += 509 {
		if _, err := parse(data[:n]); err == nil {
			t.Errorf("cut at %d of %d: accepted", n, len(data))
		}
	}
	if _, err := parse(append(data, 0)); err == nil {
		t.Error("a byte too many: accepted")
	}
}

// Opening a pipe must not wait for its other end.
func TestOpenPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "not an mlxc bundle: a special file") {
		t.Errorf("%v", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	text := func(change func(*Manifest)) []byte {
		m, files := sample()
		for i, e := range m.Entries {
			m.Entries[i].SHA256 = fmt.Sprintf("%x", sha256.Sum256(files[e.Name]))
		}
		change(&m)
		b, err := encode(&m)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	file := func(text []byte) []byte {
		slot := slotSize(len(text))
		h := header(manifestName, slot, 0)
		s, err := sealed(text, slot)
		if err != nil {
			t.Fatal(err)
		}
		return slices.Concat(h, s, make([]byte, 2*block))
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "not an mlxc bundle"},
		{"text", []byte(strings.Repeat("not a tar\n", 200)), "not an mlxc bundle"},
		{"version", file(text(func(m *Manifest) { m.Format = 9 })), "format 9 found, formats 2 and 3 supported; emit the bundle again with this release: mlxc-emit"},
		{"field", file(bytes.Replace(text(func(*Manifest) {}), []byte("ir_version"), []byte("colour = 1\nir_version"), 1)), "unknown field colour"},
		{"toml", file([]byte("format = ")), "manifest.toml"},
		{"cut", file(text(func(*Manifest) {})), "truncated"},
		{"vocab", file(text(func(m *Manifest) { m.Model.Vocab = 0 })), "model.vocab is 0"},
		{"huge vocab", file(text(func(m *Manifest) { m.Model.Vocab = 1<<24 + 1 })), "model.vocab is 16777217, must be 1 to 16777216"},
		{"huge slots", file(text(func(m *Manifest) { m.Model.Slots = 1 << 30 })), "model.slots is 1073741824, must be 1 to 8192"},
		{"huge batch", file(text(func(m *Manifest) { m.Graphs[2].Rows = 4097 })), "4097 rows, must be 1 to 4096"},
		{"huge logits", file(text(func(m *Manifest) {
			m.Graphs[0], m.Graphs[2] = m.Graphs[2], m.Graphs[0]
			m.Model.Vocab, m.Graphs[0].Rows = 1<<24, 65
		})), "65 rows of 16777216 logits, the limit is 1073741824 together"},
		{"capacity", file(text(func(m *Manifest) { m.Model.Capacity = 19 })), "model.capacity is 19, must be 20 to"},
		{"stop", file(text(func(m *Manifest) { m.Stop[1].ID = 11 })), "stop id 11 is outside the vocabulary of 11"},
		{"rope", file(text(func(m *Manifest) { m.RoPE[0].Dim = 3 })), "rope 0: dim is 3"},
		{"dtype", file(text(func(m *Manifest) { m.Weights[0].DType = "f8" })), `weight embed.weight: ir: unknown element type "f8"`},
		{"overflow", file(text(func(m *Manifest) { m.Weights[0].Shape = []int{1 << 31, 1 << 31, 1 << 31} })), "is out of range"},
		{"size", file(text(func(m *Manifest) { m.Weights[0].Shape[0] = 10 })), "weight embed.weight: tensor<10x4xf32> takes 160 bytes, its entry has 176"},
		{"rows", file(text(func(m *Manifest) { m.Model.Capacity = 64 })), "no dimension of shape [3 48 4] holds the 64 rows of model.capacity"},
		{"chunks", file(text(func(m *Manifest) { m.Model.ChunkAlign = 32 })), "rows are no multiple of model.chunk_align, 32"},
		{"slots", file(text(func(m *Manifest) { m.State[0].Shape[0] = 4 })), "slot_axis 0 of shape [4 48 4] must hold the model's 3 slots"},
		{"argument", file(text(func(m *Manifest) { m.Graphs[1].Args[0].Index = 1 })), "graph decode: argument 0 is weight 1 f16[3 5], must be weight 0 f32[11 4]"},
		{"arguments", file(text(func(m *Manifest) { m.Graphs[1].Args = m.Graphs[1].Args[1:] })), "graph decode: argument 0 is weight 1"},
		{"run", file(text(func(m *Manifest) { m.Graphs[0].Args = append(m.Graphs[0].Args, Arg{Role: "weight", Index: 3}) })), "graph prefill_c16: weight 3 of 3"},
		{"runs", file(text(func(m *Manifest) { m.Graphs[0].Args = append(m.Graphs[0].Args, m.Graphs[0].Args...) })), "more than 11 arguments"},
		{"result", file(text(func(m *Manifest) { m.Graphs[1].Results = m.Graphs[1].Results[:2] })), "graph decode: 2 results, must be 3"},
		{"kind", file(text(func(m *Manifest) { m.Graphs[1].Kind = "prefill" })), "do not make that graph"},
		{"short span", file(text(func(m *Manifest) { m.Graphs[0].Span = 8 })), "graph prefill_c16: span is 8, must be 0, for all of the state's 48 rows, or fewer of them and not less than the graph's 16 rows"},
		{"long span", file(text(func(m *Manifest) { m.Graphs[3].Span = 48 })), "graph decode_s16: span is 48, must be 0"},
		{"negative span", file(text(func(m *Manifest) { m.Graphs[3].Span = -16 })), "graph decode_s16: span is -16, must be 0"},
		{"other span", file(text(func(m *Manifest) { m.Graphs[3].Span = 32 })), `graph decode_s16: kind "decode", rows 1, span 32 do not make that graph`},
		{"span alone", file(text(func(m *Manifest) { m.Graphs, m.Entries = slices.Delete(m.Graphs, 1, 2), slices.Delete(m.Entries, 1, 2) })),
			"graph decode_s16: nothing takes over beyond position 16: the graph that reads all of the state is missing"},
		{"missing entry", file(text(func(m *Manifest) { m.Entries = m.Entries[1:] })), `entry "modules/prefill_c16.mlir.zst", which the graphs need, is missing`},
		{"strange entry", file(text(func(m *Manifest) { m.Entries[0].Name = "../evil" })), `entry "../evil" is unknown`},
		{"weight order", file(text(func(m *Manifest) { m.Weights[0], m.Weights[2] = m.Weights[2], m.Weights[0] })), `where weight 0, "scalar", must be`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(dir, "b.tar")
			if err := os.WriteFile(path, c.data, 0o666); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(path); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("got %v, want %q and the path", err, c.want)
			}
		})
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "a directory") {
		t.Errorf("a directory: %v", err)
	}
}

// Until Commit the older bundle stays; Abort and errors leave nothing.
func TestWriterLeavesNothing(t *testing.T) {
	m, _ := sample()
	path := filepath.Join(t.TempDir(), "tiny.tar")
	if err := os.WriteFile(path, []byte("older"), 0o666); err != nil {
		t.Fatal(err)
	}
	onlyOlder := func(when string) {
		t.Helper()
		all, _ := os.ReadDir(filepath.Dir(path))
		if data, err := os.ReadFile(path); string(data) != "older" || len(all) != 1 {
			t.Errorf("%s: %q, %v, %v", when, data, err, all)
		}
	}
	w, err := Create(path, m)
	if err != nil {
		t.Fatal(err)
	}
	boom := errors.New("boom")
	for _, c := range []struct {
		name, data string
		err        error
		want       string
	}{
		{"tokenizer.json", "", boom, "boom"},
		{"tokenizer.json", "short", nil, "7 of 12 bytes are missing"},
		{"tokenizer.json", "much too long for it", nil, "longer than the manifest says"},
		{"other", "", nil, "not in the manifest"},
	} {
		err := w.Write(c.name, func(out io.Writer) error {
			if c.err != nil {
				return c.err
			}
			_, err := io.WriteString(out, c.data)
			return err
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Write(%q): %v, want %q", c.data, err, c.want)
		}
	}
	if err := w.Seal(SelfCheck{}); err == nil || !strings.Contains(err.Error(), "was not written") {
		t.Errorf("Seal of an incomplete bundle: %v", err)
	}
	w.Abort()
	onlyOlder("after Abort")
	m.Entries[len(m.Entries)-3].Size++
	if _, err := Create(path, m); err == nil {
		t.Error("Create accepted a wrong size")
	}
	onlyOlder("after a refused Create")
	m, files := sample()
	write(t, path, m, files)
	if b, err := Open(path); err != nil {
		t.Error(err)
	} else {
		b.Close()
	}
}

func TestNoSpace(t *testing.T) {
	limitFiles(t, 10<<10)
	m, _ := sample()
	path := filepath.Join(t.TempDir(), "tiny.tar")
	_, err := Create(path, m)
	if !errors.Is(err, ErrNoSpace) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "0.1 MB needed, 0.0 MB is what") {
		t.Errorf("got %v", err)
	}
}

func TestVerifyCancelled(t *testing.T) {
	b, err := Open(sampleFile(t))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Verify(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestLoadWeights: the same bytes in other memory; a file that has been cut off since
// is an error instead of a fault.
func TestLoadWeights(t *testing.T) {
	path := sampleFile(t)
	b, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	var mapped [][]byte
	for i := range b.Manifest.Weights {
		mapped = append(mapped, b.Weight(i))
	}
	for range 2 {
		if err := b.LoadWeights(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range mapped {
		got := b.Weight(i)
		if !bytes.Equal(got, want) || &got[0] == &want[0] || uintptr(unsafe.Pointer(&got[0]))%weightAlignment != 0 {
			t.Errorf("weight %d: at %p, mapped at %p, equal %v", i, got, want, bytes.Equal(got, want))
		}
	}
	cut, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer cut.Close()
	if err := os.Truncate(path, cut.Size()/2); err != nil {
		t.Fatal(err)
	}
	if err := cut.LoadWeights(t.Context()); !errors.Is(err, io.EOF) || !strings.Contains(err.Error(), "entry weights/") {
		t.Errorf("a cut file: %v", err)
	}
}
