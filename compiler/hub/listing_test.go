package hub

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sha = "0123456789abcdef0123456789abcdef01234567"

func TestParseRef(t *testing.T) {
	for text, want := range map[string]Ref{
		"hf:HuggingFaceTB/SmolLM2-135M-Instruct":        {"HuggingFaceTB", "SmolLM2-135M-Instruct", "main", ""},
		"hf:a/b@v1.0":                                   {"a", "b", "v1.0", ""},
		"hf:a/b@refs/pr/1":                              {"a", "b", "refs/pr/1", ""},
		"hf:a/b:Q4_K_M":                                 {"a", "b", "main", "Q4_K_M"},
		"hf:unsloth/x_GGUF@" + sha + ":q/x-Q4_K_M.gguf": {"unsloth", "x_GGUF", sha, "q/x-Q4_K_M.gguf"},
	} {
		got, err := ParseRef(text)
		if again, err2 := ParseRef(got.String()); err != nil || got != want || err2 != nil || again != want {
			t.Errorf("%s: %+v, %v; want %+v; again %+v, %v", text, got, err, want, again, err2)
		}
	}
	for _, text := range []string{
		"", "a/b", "hf:", "hf:a", "hf:a/", "hf:/b", "hf:a/b/c", "hf://a/b", "hf:../b", "hf:a/..", "hf:a/b@", "hf:a/b:", "hf:a/b@@", "hf:a/b@..", "hf:a/b@../x", "hf:a/b@x/../y",
		"hf:a/b@-x", "hf:a/b@x y", "hf:a/b:../x.gguf", "hf:a/b:/etc/x.gguf", `hf:a/b:x\y.gguf`, "hf:a/b:x\x00.gguf", "hf:a b/c", "hf:a--b/c", "hf:a/" + strings.Repeat("b", 97), "HF:a/b", "hf:.a/b", "hf:a/b.",
	} {
		if ref, err := ParseRef(text); err == nil || !strings.HasSuffix(err.Error(), "; a model of the hub is written "+Form) {
			t.Errorf("%q: %+v, %v", text, ref, err)
		}
	}
	for text, want := range map[string]string{"hf:a/b": "b", "hf:a/b@x:config.json": "b", "hf:a/b:Q4_K_M": "b-Q4_K_M", "hf:a/b:q/x-Q8_0.gguf": "x-Q8_0"} {
		if ref, err := ParseRef(text); err != nil || ref.Base() != want {
			t.Errorf("%s: base %s, %v; want %s", text, ref.Base(), err, want)
		}
	}
}

func TestParseListing(t *testing.T) {
	blob, content := strings.Repeat("a", 40), strings.Repeat("b", 64)
	l, err := parseListing(fmt.Appendf(nil, `{"id": "a/b", "sha": "%s", "private": false, "gguf": {"architecture": "llama", "total": 5}, "siblings": [
		{"rfilename": "w.gguf", "size": 9000000000, "blobId": "%s", "lfs": {"sha256": "%s", "size": 9000000000, "pointerSize": 135}},
		{"rfilename": "a/ü x.txt", "size": 0, "blobId": "%s"},
		{"rfilename": "submodule"}]}`, sha, blob, content, blob))
	want := Listing{Commit: sha, Architecture: "llama", Files: []File{{"a/ü x.txt", 0, blob}, {"submodule", 0, ""}, {"w.gguf", 9_000_000_000, content}}}
	if diff := cmp.Diff(want, l); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if again, err := parseListing(l.marshal()); err != nil || cmp.Diff(want, again) != "" {
		t.Errorf("again: %+v, %v", again, err)
	}
	file := func(name string) string {
		return fmt.Sprintf(`{"sha": "%s", "siblings": [{"rfilename": %q, "size": 1, "blobId": "%s"}]}`, sha, name, blob)
	}
	for _, c := range []struct{ text, want string }{
		{"", "not the JSON of a repository"},
		{"[1]", "not the JSON of a repository"},
		{"<!doctype html>", `not the JSON of a repository`},
		{`{"sha": "main"}`, `its sha is "main", not a commit`},
		{`{"sha": "../../../../../../../../../../../etc/pass"}`, "not a commit"},
		{file("../x"), `file name "../x" isn't a plain relative path`},
		{file("/etc/passwd"), "isn't a plain relative path"},
		{file("a/../../b"), "isn't a plain relative path"},
		{file("a/./b"), "isn't a plain relative path"},
		{file("a//b"), "isn't a plain relative path"},
		{file(`..\x`), "has a backslash or a control character in it"},
		{file("a\nb"), "has a backslash or a control character in it"},
		{strings.ReplaceAll(file("AB"), "AB", `a\u0000b`), "has a backslash or a control character in it"},
		{file(""), "has 0 bytes, must have 1 to 1024"},
		{file(strings.Repeat("x", 256)), "has a part of 256 bytes, at most 255 are allowed"},
		{file(strings.Repeat("x/", 512) + "y"), "has 1025 bytes, must have 1 to 1024"},
		{strings.Replace(file("x"), `"size": 1`, `"size": -1`, 1), "file x: size is -1"},
		{strings.Replace(file("x"), `"size": 1`, `"size": 99999999999999999`, 1), "file x: size is 99999999999999999"},
		{strings.Replace(file("x"), blob, "../../x", 1), `file x: its digest is "../../x"`},
		{strings.Replace(file("x"), `"blobId"`, `"lfs": {"sha256": "`+blob+`", "size": 1}, "blobId"`, 1), "file x: lfs.sha256 is"},
		{strings.Replace(file("x"), "[", `[{"rfilename": "x", "size": 2, "blobId": "`+blob+`"}, `, 1), `file "x" is listed twice`},
		{`{"sha": "` + sha + `", "siblings": [` + strings.Repeat("{},", maxFiles) + "{}]}", "100001 files, at most 100000 are allowed"},
	} {
		if _, err := parseListing([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.100s: %v, want %q", c.text, err, c.want)
		}
	}
}

// What is chosen of a repository, and why not.
func TestChoose(t *testing.T) {
	index := func(files ...string) string {
		var entries []string
		for i, f := range files {
			entries = append(entries, fmt.Sprintf(`"t%d": %q`, i, f))
		}
		return `{"weight_map": {` + strings.Join(entries, ", ") + "}}"
	}
	const indexed, shard1, shard2 = "model.safetensors.index.json", "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"
	for _, c := range []struct {
		name, file string
		files      []string
		index      string
		want       string // names, or a part of the error
	}{
		{"one file", "", []string{"config.json", "model.safetensors", "tokenizer.json", "vocab.txt", "pytorch_model.bin", "x.gguf", "modeling.py"}, "", "config.json tokenizer.json | model.safetensors"},
		{"shards", "", []string{"config.json", indexed, shard1, shard2, "consolidated.safetensors"}, index(shard1, shard2), "config.json " + indexed + " | " + shard1 + " " + shard2},
		{"a shard is missing", "", []string{"config.json", indexed, shard1}, index(shard1, shard2), "missing_file: " + shard2},
		{"a stale index", "", []string{"config.json", indexed, "model.safetensors"}, index(shard1, shard2), "config.json " + indexed + " | model.safetensors (note)"},
		{"an index that leads out", "", []string{"config.json", indexed, "model.safetensors"}, index("../../etc/passwd"), `is in "../../etc/passwd", which is not the name of a file beside the index`},
		{"shards without index", "", []string{"config.json", shard1, shard2}, "", "config.json | " + shard1 + " " + shard2},
		{"two models", "", []string{"config.json", "a.safetensors", "b.safetensors"}, "", "several files could be meant: a.safetensors, b.safetensors"},
		{"no config", "", []string{"model.safetensors"}, "", "it has model.safetensors, but no config.json"},
		{"an adapter", "", []string{"adapter_config.json", "adapter_model.safetensors"}, "", "it is an adapter"},
		{"weights in a folder alone", "", []string{"config.json", "fp16/model.safetensors"}, "", "it has no .safetensors and no .gguf in its top folder"},
		{"PyTorch's weights", "", []string{"config.json", "pytorch_model.bin", "a/consolidated.00.pth"}, "", "only a/consolidated.00.pth, pytorch_model.bin, which mlxc doesn't read; take a repository with SafeTensors, or convert it"},
		{"nothing", "", []string{"README.md"}, "", "it has no .safetensors and no .gguf in its top folder"},
		{"one GGUF", "", []string{"config.json", "m-Q8_0.gguf", "mmproj-f16.gguf", "m.imatrix.gguf"}, "", " | m-Q8_0.gguf"},
		{"several GGUFs", "", []string{"m-Q8_0.gguf", "m-Q4_0.gguf"}, "", "it has 2 GGUF models and no SafeTensors; name one: there are hf:a/b:m-Q4_0.gguf (0.0 MB), hf:a/b:m-Q8_0.gguf (0.0 MB)"},
		{"a split GGUF", "", []string{"m-Q8_0-00001-of-00002.gguf", "m-Q8_0-00002-of-00002.gguf"}, "", " | m-Q8_0-00001-of-00002.gguf m-Q8_0-00002-of-00002.gguf"},
		{"a part by its name", "q/m-00002-of-00002.gguf", []string{"q/m-00001-of-00002.gguf", "q/m-00002-of-00002.gguf", "m.gguf"}, "", " | q/m-00001-of-00002.gguf q/m-00002-of-00002.gguf"},
		{"a part is missing", "", []string{"m-00001-of-00003.gguf", "m-00003-of-00003.gguf"}, "", "it lacks m-00002-of-00003.gguf, of whose model it has m-00001-of-00003.gguf"},
		{"a projector by its name", "mmproj-f16.gguf", []string{"m.gguf", "mmproj-f16.gguf"}, "", " | mmproj-f16.gguf"},
		{"a quantisation", "q4_k_m", []string{"m-Q4_K_M.gguf", "m-Q4_K_L.gguf", "m-IQ4_K_M.gguf"}, "", " | m-Q4_K_M.gguf"},
		{"a quantisation after other signs", "Q4_0", []string{"m.Q4_0.gguf", "n_q4_1.gguf"}, "", " | m.Q4_0.gguf"},
		{"a quantisation that is a part of another", "Q4_K", []string{"m-Q4_K_M.gguf", "m-Q4_K_S.gguf"}, "", "it has no GGUF file for Q4_K; there are hf:a/b:m-Q4_K_M.gguf"},
		{"an ambiguous quantisation", "Q8_0", []string{"m-Q8_0.gguf", "n-Q8_0.gguf", "m-Q4_0.gguf"}, "", "Q8_0 could be several of its files; there are hf:a/b:m-Q8_0.gguf (0.0 MB), hf:a/b:n-Q8_0.gguf (0.0 MB)"},
		{"a quantisation that is split", "Q8_0", []string{"q/m-Q8_0-00001-of-00002.gguf", "q/m-Q8_0-00002-of-00002.gguf", "m-Q4_0.gguf"}, "", " | q/m-Q8_0-00001-of-00002.gguf q/m-Q8_0-00002-of-00002.gguf"},
		{"a quantisation like a pattern", "Q.*", []string{"m-Q8_0.gguf"}, "", "FILE is a .gguf, a quantisation such as Q4_K_M, or config.json"},
		{"no such GGUF", "x.gguf", []string{"m-Q8_0.gguf", "m-F16-00001-of-00002.gguf", "m-F16-00002-of-00002.gguf"}, "", "it has no file x.gguf; there are hf:a/b:m-F16-00001-of-00002.gguf (0.0 MB in 2 parts), hf:a/b:m-Q8_0.gguf (0.0 MB)"},
		{"no GGUF at all", "Q8_0", []string{"model.safetensors"}, "", "it has no GGUF file for Q8_0; it has none"},
		{"a shard alone", "model.safetensors", []string{"config.json", "model.safetensors"}, "", "model.safetensors can't be got alone"},
		{"the config alone", "config.json", []string{"config.json", "model.safetensors"}, "", "config.json | "},
		{"no config alone", "config.json", []string{"model.safetensors"}, "", "it has no config.json"},
	} {
		l := Listing{Commit: sha}
		slices.Sort(c.files)
		for _, f := range c.files {
			l.Files = append(l.Files, File{Path: f, Size: 5, Digest: sha})
		}
		got := ""
		chosen, note, err := choose(Ref{"a", "b", "main", c.file}, l, func(f File) ([]byte, error) {
			if f.Path != indexed {
				return nil, errors.New("it reads " + f.Path)
			}
			return []byte(c.index), nil
		})
		if err != nil {
			got = err.Error()
		} else {
			got = names(chosen.side) + " | " + names(chosen.weights)
			if note != "" {
				got += " (note)"
			}
		}
		if err == nil && got != c.want || err != nil && !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func names(files []File) string {
	var list []string
	for _, f := range files {
		list = append(list, f.Path)
	}
	return strings.Join(list, " ")
}

func TestSpans(t *testing.T) {
	var s spans
	for _, c := range []struct {
		add  span
		want spans
	}{
		{span{10, 20}, spans{{10, 20}}},
		{span{30, 40}, spans{{10, 20}, {30, 40}}},
		{span{5, 5}, spans{{10, 20}, {30, 40}}},
		{span{0, 3}, spans{{0, 3}, {10, 20}, {30, 40}}},
		{span{20, 25}, spans{{0, 3}, {10, 25}, {30, 40}}},
		{span{12, 13}, spans{{0, 3}, {10, 25}, {30, 40}}},
		{span{50, 60}, spans{{0, 3}, {10, 25}, {30, 40}, {50, 60}}},
		{span{24, 50}, spans{{0, 3}, {10, 60}}},
		{span{0, 99}, spans{{0, 99}}},
	} {
		if s = s.add(c.add); !slices.Equal(s, c.want) {
			t.Fatalf("after %v: %v, want %v", c.add, s, c.want)
		}
	}
	s = spans{{0, 3}, {10, 60}}
	if got, want := s.missing(100, 20), []span{{3, 10}, {60, 80}, {80, 100}}; !slices.Equal(got, want) || s.total() != 53 {
		t.Errorf("missing %v, want %v; %d bytes", got, want, s.total())
	}
	if got := (spans{{0, 100}}).missing(100, 20); len(got) > 0 {
		t.Errorf("missing %v", got)
	}
}

// A listing has only names within a folder, and is read again as it was written.
func FuzzListing(f *testing.F) {
	f.Add(Listing{Commit: sha, Architecture: "llama", Files: []File{{"a/b.json", 5, sha}, {"c.gguf", 7, strings.Repeat("c", 64)}}}.marshal())
	f.Add([]byte(`{"sha": "` + sha + `", "siblings": [{"rfilename": "../x", "size": 1, "blobId": "` + sha + `"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := parseListing(data)
		if err != nil {
			return
		}
		for i, file := range l.Files {
			if strings.HasPrefix(file.Path, "/") || slices.Contains(strings.Split(file.Path, "/"), "..") || file.Size < 0 || i > 0 && file.Path <= l.Files[i-1].Path {
				t.Errorf("%+v", file)
			}
			if found, ok := l.file(file.Path); !ok || found != file {
				t.Errorf("%+v isn't found", file)
			}
		}
		if again, err := parseListing(l.marshal()); err != nil || !cmp.Equal(l, again) {
			t.Errorf("%+v is read again as %+v, %v", l, again, err)
		}
		for _, name := range []string{"", "Q4_K_M", "config.json", "x.gguf"} {
			_, _, _ = choose(Ref{"a", "b", "main", name}, l, func(File) ([]byte, error) { return data, nil }) // it ends
		}
	})
}

// A journal never vouches for bytes that a file doesn't have, and is read again as it
// was written.
func FuzzJournal(f *testing.F) {
	f.Add(journalText(spans{{0, 10}, {20, 30}}, 100), int64(100))
	f.Add([]byte(journalHead(50)+"0 10\n5 60\n"), int64(50))
	f.Fuzz(func(t *testing.T, data []byte, size int64) {
		done := parseJournal(data, size)
		at := int64(-1)
		for _, s := range done {
			if s.From <= at || s.From >= s.To || s.To > size {
				t.Fatalf("%v of %d bytes", done, size)
			}
			at = s.To
		}
		if again := parseJournal(journalText(done, size), size); !slices.Equal(again, done) {
			t.Errorf("%v is read again as %v", done, again)
		}
		if !bytes.HasPrefix(data, []byte(journalHead(size))) && len(done) > 0 {
			t.Errorf("%v without a head", done)
		}
	})
}
