package tokenizer

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mlxc/mlxc/golden/oracle"
)

// prose makes n bytes of text: words of one to three tokens, as frequent as Zipf says,
// with punctuation and numbers between them.
func prose(t testing.TB, n int) string {
	tok := style(t, "smollm2")
	rnd := rand.New(rand.NewPCG(1, 2))
	var words []string
	for len(words) < 30000 {
		var w strings.Builder
		for range 1 + rnd.IntN(3) {
			w.WriteString(strings.TrimFunc(string(tok.Token(rnd.Int32N(20000))), func(r rune) bool { return r < 'A' || r > 'z' }))
		}
		if w.Len() > 0 {
			words = append(words, w.String())
		}
	}
	zipf := rand.NewZipf(rnd, 1.1, 3, uint64(len(words)-1))
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(words[zipf.Uint64()])
		switch k := rnd.IntN(100); {
		case k < 86:
			b.WriteByte(' ')
		case k < 92:
			b.WriteString(", ")
		case k < 97:
			b.WriteString(". ")
		case k < 99:
			b.WriteString(" 2026 ")
		default:
			b.WriteString(".\n\n")
		}
	}
	return b.String()[:n]
}

func BenchmarkEncode(b *testing.B) {
	text := prose(b, 1<<20)
	for _, name := range styles {
		b.Run(name, func(b *testing.B) {
			benchmarkEncode(b, style(b, name), text)
		})
	}
	for _, name := range []string{"smollm2", "llama2style", "unigram"} {
		for _, unit := range []string{"_", "日", " ", "7", "A", "\n"} {
			b.Run(fmt.Sprintf("%s/run of %q", name, unit), func(b *testing.B) {
				benchmarkEncode(b, style(b, name), strings.Repeat(unit, 1<<20/len(unit)))
			})
		}
	}
}

func benchmarkEncode(b *testing.B, tok *Tokenizer, text string) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		tok.Encode(text, EncodeOptions{})
	}
}

func BenchmarkDecode(b *testing.B) {
	prose := prose(b, 1<<20)
	for _, name := range styles {
		tok := style(b, name)
		for what, text := range map[string]string{"prose": prose, "a run": strings.Repeat("A", 1<<20), "a run of é": strings.Repeat("é", 1<<19)} {
			ids := tok.Encode(text, EncodeOptions{})
			b.Run(name+"/"+what, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					tok.Decode(ids, false)
				}
			})
			b.Run(name+"/"+what+" as a stream", func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					d := tok.NewDecoder(false)
					for _, id := range ids {
						d.Push(id)
					}
					d.Flush()
				}
			})
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	blobs := map[string][]byte{"200k tokens": large(b)}
	for _, name := range styles {
		blobs[name] = style(b, name).Marshal()
	}
	for name, blob := range blobs {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(blob)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Load(blob); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// large returns the tokenizer.bin of a vocabulary of GPT-4o's size: all words of up to
// three letters and many of four, those with two merges each, and GPT-4o's pattern.
func large(b *testing.B) []byte {
	d, err := parse(oracle.File(b, "tokenizers/o200style.tokenizer.json"))
	if err != nil {
		b.Fatal(err)
	}
	d.ids, d.merges, d.added = map[string]int32{}, nil, nil
	add := func(token string) { d.ids[token] = int32(len(d.ids)) }
	for _, r := range byteRune {
		add(string(r))
	}
	letters := "abcdefghijklmnopqrstuvwxyz"
	words := strings.Split(letters, "")
	for len(d.ids) < 200000 {
		var longer []string
		for _, w := range words {
			for _, c := range letters {
				if len(d.ids) == 200000 {
					break
				}
				longer = append(longer, w+string(c))
				add(w + string(c))
				d.merges = append(d.merges, []string{w, string(c)})
			}
		}
		words = longer
	}
	for _, w := range words {
		d.merges = append(d.merges, []string{w[:2], w[2:]})
	}
	if err := d.setTokens(); err != nil {
		b.Fatal(err)
	}
	blob, err := d.marshal()
	if err != nil {
		b.Fatal(err)
	}
	return blob
}

func BenchmarkParse(b *testing.B) {
	file := oracle.File(b, "tokenizers/smollm2.tokenizer.json")
	for b.Loop() {
		if _, err := Parse(file); err != nil {
			b.Fatal(err)
		}
	}
}
