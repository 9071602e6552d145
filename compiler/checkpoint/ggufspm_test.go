package checkpoint

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/archs"
	"github.com/mlxc/mlxc/golden/oracle"
	"github.com/mlxc/mlxc/runtime/tokenizer"
)

// llama2Metadata is the vocabulary of the Llama-2-style oracle as a GGUF file has it:
// tokens with scores, of which the greater were merged first, and no merges.
func llama2Metadata(t testing.TB) map[string]any {
	var file struct {
		Model struct {
			Vocab map[string]int `json:"vocab"`
		} `json:"model"`
	}
	if err := json.Unmarshal(oracle.File(t, "tokenizers/llama2style.tokenizer.json"), &file); err != nil {
		t.Fatal(err)
	}
	n := len(file.Model.Vocab)
	tokens, scores, types := make([]string, n), make([]float32, n), make([]int32, n)
	for token, id := range file.Model.Vocab {
		tokens[id], scores[id], types[id] = token, -float32(id), tokenNormal
		if strings.HasPrefix(token, "<0x") {
			types[id] = tokenByte
		}
	}
	types[0], types[1], types[2] = tokenUnknown, tokenControl, tokenControl
	return map[string]any{
		"tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": tokens, "tokenizer.ggml.scores": scores, "tokenizer.ggml.token_type": types,
		"tokenizer.ggml.bos_token_id": uint32(1), "tokenizer.ggml.eos_token_id": uint32(2), "tokenizer.ggml.unknown_token_id": uint32(0),
	}
}

func tokenizerOf(t testing.TB, metadata map[string]any) (*tokenizer.Tokenizer, error) {
	t.Helper()
	tokens, err := readTokens(metadata)
	if err != nil {
		return nil, err
	}
	data, err := tokens.tokenizerJSON()
	if err != nil {
		return nil, err
	}
	tok, err := tokenizer.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return tok, nil
}

// TestSentencePieceOracle: a vocabulary with scores encodes and decodes every row as
// HF's tokenizer with merges does.
func TestSentencePieceOracle(t *testing.T) {
	tok, err := tokenizerOf(t, llama2Metadata(t))
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range bytes.Lines(oracle.File(t, "tokenizers/llama2style.oracle.jsonl")) {
		var r struct {
			Text    string
			IDs     []int32
			Plain   []int32 `json:"ids_plain"`
			Decoded string
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		if got := tok.Encode(r.Text, tokenizer.EncodeOptions{AddSpecial: true, ParseSpecial: true}); !reflect.DeepEqual(got, r.IDs) {
			t.Errorf("%q: %v, want %v", r.Text, got, r.IDs)
		}
		if got := tok.Decode(r.Plain, false); got != r.Decoded {
			t.Errorf("%q: decoded %q, want %q", r.Text, got, r.Decoded)
		}
		rows++
	}
	if rows < 188 {
		t.Errorf("%d rows, want 188", rows)
	}
}

// TestSentencePieceOptions: what the metadata says about the ends of a text.
func TestSentencePieceOptions(t *testing.T) {
	for _, c := range []struct {
		name string
		set  map[string]any
		want string // of "the cat", the tokens between bars
	}{
		{"as it is", nil, "<s>|▁the▁|cat"},
		{"add_bos_token false", map[string]any{"tokenizer.ggml.add_bos_token": false}, "▁the▁|cat"},
		{"add_eos_token", map[string]any{"tokenizer.ggml.add_eos_token": true}, "<s>|▁the▁|cat|</s>"},
		{"add_space_prefix false", map[string]any{"tokenizer.ggml.add_space_prefix": false}, "<s>|the▁|cat"},
	} {
		metadata := llama2Metadata(t)
		for k, v := range c.set {
			metadata[k] = v
		}
		tok, err := tokenizerOf(t, metadata)
		if err != nil {
			t.Fatal(err)
		}
		ids := tok.Encode("the cat", tokenizer.EncodeOptions{AddSpecial: true, ParseSpecial: true})
		var got []string
		for _, id := range ids {
			got = append(got, string(tok.Token(id)))
		}
		if joined := strings.Join(got, "|"); joined != c.want {
			t.Errorf("%s: %s, want %s", c.name, joined, c.want)
		}
		if text := tok.Decode(ids, true); text != "the cat" {
			t.Errorf("%s: decodes to %q", c.name, text)
		}
	}
}

func TestSentencePieceRefused(t *testing.T) {
	for _, c := range []struct {
		name     string
		key      string
		value    any
		mentions string
	}{
		{"no scores", "tokenizer.ggml.scores", nil, "tokenizer.ggml.scores: it must be a list of float32, one for each of the 6000 tokens"},
		{"few scores", "tokenizer.ggml.scores", []float32{1}, "tokenizer.ggml.scores"},
		{"a long token", "tokenizer.ggml.tokens", append([]string{strings.Repeat("x", 2000)}, llama2Metadata(t)["tokenizer.ggml.tokens"].([]string)[1:]...), "token 0 has 2000 bytes: the limit is 1024"},
	} {
		metadata := llama2Metadata(t)
		metadata[c.key] = c.value
		if _, err := tokenizerOf(t, metadata); archs.Class(err) != archs.BadGGUF || !strings.Contains(err.Error(), c.mentions) {
			t.Errorf("%s: %v, want %q", c.name, err, c.mentions)
		}
	}
	scores := llama2Metadata(t)["tokenizer.ggml.scores"].([]float32)
	scores[7] /= scores[0]
	metadata := llama2Metadata(t)
	metadata["tokenizer.ggml.scores"] = scores
	if _, err := tokenizerOf(t, metadata); err == nil || !strings.Contains(err.Error(), "has score +Inf") {
		t.Errorf("infinite score: %v", err)
	}
}

// TestScoredMerges has the order of HF's generate_merges for ties.
func TestScoredMerges(t *testing.T) {
	tokens := []string{"c", "b", "a", "ab", "bc", "abc", "日", "日a", "a日", "unused"}
	vocab := map[string]int{}
	for id, token := range tokens[:9] {
		vocab[token] = id
	}
	got, err := scoredMerges(tokens, vocab, []float32{0, 0, 0, -1, -1, -1, 0, -1, 5, 9})
	want := [][2]string{{"a", "日"}, {"ab", "c"}, {"a", "bc"}, {"a", "b"}, {"b", "c"}, {"日", "a"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v (%v)", got, want, err)
	}
}
