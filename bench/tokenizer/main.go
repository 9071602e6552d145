// Command tokenizer measures how fast text is encoded and decoded, and whether a
// megabyte of one letter takes longer than one of prose. It exits with 1 if a bar is
// missed:
//
//	go run ./bench/tokenizer
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/mlxc/mlxc/runtime/tokenizer"
)

// The bars.
const (
	minRate  = 2.0 // MB/s of prose
	maxRatio = 3.0 // time of a run of one letter over that of as much prose
)

const size = 1 << 20 // bytes of a text

// models are one of each kind: byte-level BPE, BPE with byte fallback, Unigram.
var models = []string{"smollm2", "llama2style", "unigram"}

// letters are what the runs consist of.
var letters = []string{"A", "_", "7", " ", "\n", "é", "日"}

func main() {
	rounds := flag.Int("r", 5, "rounds; each text's best time counts")
	flag.Parse()
	if flag.NArg() > 0 || *rounds < 1 {
		fmt.Fprintln(os.Stderr, "usage: tokenizer [-r ROUNDS], in the repository's root")
		os.Exit(2)
	}
	if err := measure(*rounds); err != nil {
		fmt.Fprintln(os.Stderr, "tokenizer:", err)
		os.Exit(1)
	}
}

// errMissed: at least one bar isn't kept.
var errMissed = errors.New("a bar is missed")

func measure(rounds int) error {
	prose, err := prose()
	if err != nil {
		return err
	}
	fmt.Println("| tokenizer | prose | slowest run | run ÷ prose | |\n| --- | ---: | ---: | ---: | --- |")
	missed := false
	for _, name := range models {
		tok, err := load(name)
		if err != nil {
			return err
		}
		for _, direction := range []struct {
			name string
			time func(*tokenizer.Tokenizer, string) time.Duration
		}{{"encode", encode}, {"decode", decode}} {
			best := fastest(rounds, tok, direction.time, prose)
			slowest := 1
			for i := range letters {
				if best[i+1] > best[slowest] {
					slowest = i + 1
				}
			}
			ratio := float64(best[slowest]) / float64(best[0])
			verdict := "met"
			if rate(best[0]) < minRate || ratio > maxRatio {
				verdict, missed = "missed", true
			}
			fmt.Printf("| %s, %s | %.1f MB/s | %.1f MB/s of %q | %.2f | %s |\n",
				name, direction.name, rate(best[0]), rate(best[slowest]), letters[slowest-1], ratio, verdict)
		}
	}
	fmt.Printf("\nbars: at least %g MB/s of prose, runs at most %g × its time; 1 MiB each, the best of %d interleaved rounds\n", minRate, maxRatio, rounds)
	if missed {
		return errMissed
	}
	return nil
}

// fastest are the best times of prose and of a run of each letter, taken in turn.
func fastest(rounds int, tok *tokenizer.Tokenizer, timed func(*tokenizer.Tokenizer, string) time.Duration, prose string) []time.Duration {
	texts := []string{prose}
	for _, l := range letters {
		texts = append(texts, strings.Repeat(l, size/len(l)))
	}
	best := make([]time.Duration, len(texts))
	for round := range rounds {
		for i, text := range texts {
			if t := timed(tok, text); round == 0 || t < best[i] {
				best[i] = t
			}
		}
	}
	return best
}

func encode(tok *tokenizer.Tokenizer, text string) time.Duration {
	start := time.Now()
	tok.Encode(text, tokenizer.EncodeOptions{})
	return time.Since(start)
}

// decode is a stream's time, token by token, as generation decodes.
func decode(tok *tokenizer.Tokenizer, text string) time.Duration {
	ids := tok.Encode(text, tokenizer.EncodeOptions{})
	start := time.Now()
	d := tok.NewDecoder(false)
	for _, id := range ids {
		d.Push(id)
	}
	d.Flush()
	return time.Since(start)
}

func rate(t time.Duration) float64 { return size / 1e6 / t.Seconds() }

// prose is what the repository's own pages say, again and again.
func prose() (string, error) {
	files, err := filepath.Glob("*.md")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return "", err
		}
		b.Write(text)
	}
	if b.Len() == 0 {
		return "", errors.New("no *.md here: run it in the repository's root")
	}
	return strings.Repeat(b.String(), size/b.Len()+1)[:size], nil
}

func load(name string) (*tokenizer.Tokenizer, error) {
	f, err := os.Open(filepath.Join("testdata", "tokenizers", name+".tokenizer.json.zst"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	var b strings.Builder
	if _, err := z.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return tokenizer.Parse([]byte(b.String()))
}
