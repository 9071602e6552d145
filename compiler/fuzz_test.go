package compiler

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/ir"
	"github.com/mlxc/mlxc/lower"
	"github.com/mlxc/mlxc/lower/target"
	"github.com/mlxc/mlxc/runtime/bundle"
)

// small are sizes of a config that make a model of a few kilobytes.
var small = map[string]any{
	"vocab_size": 40, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4,
	"num_key_value_heads": 2, "max_position_embeddings": 64, "head_dim": 8, "bos_token_id": 1, "eos_token_id": 2,
}

// configs are the known configs, shrunk.
func configs(t testing.TB) (all [][]byte) {
	files, err := filepath.Glob("../testdata/configs/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no configs: %v", err)
	}
	for _, name := range oracle.Names(t) {
		files = append(files, filepath.Join(oracle.Load(t, name).Dir, "config.json"))
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var config map[string]any
		if err := json.Unmarshal(data, &config); err != nil {
			t.Fatal(err)
		}
		maps.Copy(config, small)
		if data, err = json.Marshal(config); err != nil {
			t.Fatal(err)
		}
		all = append(all, data)
	}
	return all
}

// resized is a config with other sizes: a byte for each of small, in the order of their
// names; 255 leaves a key out.
func resized(config, sizes []byte) []byte {
	var all map[string]any
	if len(sizes) == 0 || json.Unmarshal(config, &all) != nil {
		return config
	}
	for i, name := range slices.Sorted(maps.Keys(small)) {
		if i < len(sizes) {
			if all[name] = sizes[i]; sizes[i] == 255 {
				delete(all, name)
			}
		}
	}
	data, err := json.Marshal(all)
	if err != nil {
		return config
	}
	return data
}

// FuzzConfig: a config is refused, in a class, or lowered: the graphs of a model that is
// small enough verify, and their text is a fixpoint of parse and print.
func FuzzConfig(f *testing.F) {
	for i, config := range configs(f) {
		f.Add(config, []byte(nil), uint8(i))
		f.Add(config, []byte{1, 2, 16, 64, 96, 128, 8, 3, 4, 80}, uint8(i))
	}
	row, err := target.Load("llvm-cpu")
	if err != nil {
		f.Fatal(err)
	}
	precisions := []string{"f32", "f16", "q4"}
	kinds := []lower.GraphKind{{Kind: lower.Prefill, Rows: 16}, {Kind: lower.Decode, Rows: 1}, {Kind: lower.Ragged, Rows: 2}}
	f.Fuzz(func(t *testing.T, config, sizes []byte, which uint8) {
		spec, err := archs.Read(resized(config, sizes), nil)
		if err != nil {
			if archs.Class(err) == "" {
				t.Fatalf("an error without class: %v", err)
			}
			return
		}
		a, m := spec.Layers[0].Attention, spec.Layers[0].MLP
		if len(spec.Layers) > 4 || max(spec.Vocab, spec.Hidden, m.Width, a.Heads*a.HeadDim) > 512 {
			return
		}
		plan, err := lower.PlanFor(row, precisions[int(which)%len(precisions)], "", nil)
		if err != nil {
			t.Fatal(err)
		}
		program, err := lower.Lower(spec, plan, lower.Options{Context: 32, Slots: 3, Graphs: kinds})
		if err != nil {
			t.Fatalf("an accepted config can't be lowered: %v", err)
		}
		text := ir.Print(program.Graphs[int(which)%len(kinds)].Module)
		module, err := ir.Parse(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if again := ir.Print(module); again != text {
			t.Fatalf("another text:\n%s\nwant\n%s", again, text)
		}
		for _, w := range program.Weights {
			if w.Type.Bytes() <= 0 {
				t.Errorf("weight %s: %v", w.Name, w.Type)
			}
		}
	})
}

// FuzzSideFiles: what the files beside the weights say of stops is refused, in a class, or
// stop ids in rising order within the vocabulary, each with its source.
func FuzzSideFiles(f *testing.F) {
	f.Add([]byte(`{"eos_token_id": [1, 4]}`), []byte(`{"eos_token": {"content": "<eot>", "lstrip": false}, "chat_template": "{{ messages }}"}`))
	f.Add([]byte(`{"eos_token_id": 5}`), []byte(`{"eos_token": "<eot>", "chat_template": [{"name": "default", "template": "a"}, {"name": "tool_use", "template": "b"}]}`))
	f.Add([]byte(`{"eos_token_id": null}`), []byte(`{"eos_token": null, "chat_template": null}`))
	f.Add([]byte(``), []byte(``))
	idOf := func(s string) (int32, bool) { return 7, s == "<eot>" }
	f.Fuzz(func(t *testing.T, generation, tokenizerConfig []byte) {
		stops, _, err := stopIDs(archs.Spec{Vocab: 10, EOS: []int{3, -1, 99}}, bundle.Config, generation, tokenizerConfig, idOf)
		if err != nil {
			if archs.Class(err) == "" {
				t.Errorf("an error without class: %v", err)
			}
			return
		}
		for i, s := range stops {
			if s.ID < 0 || s.ID >= 10 || i > 0 && s.ID <= stops[i-1].ID || len(s.Sources) == 0 {
				t.Errorf("stops %v", stops)
			}
		}
		if !slices.ContainsFunc(stops, func(s bundle.Stop) bool { return s.ID == 3 }) {
			t.Errorf("config.json's own id isn't in %v", stops)
		}
		configTemplates(tokenizerConfig)
	})
}
