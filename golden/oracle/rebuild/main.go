// Rebuild copies what the tests need of the shared reference material into
// testdata, zstd-compressed with fixed metadata: same inputs, same bytes.
//
//	go run ./golden/oracle/rebuild ../shared
//	go run ./golden/oracle/rebuild -formats DIR    # what testdata/make_formats.py and make_smollm2.py made
package main

import (
	"archive/tar"
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// cases are the oracle cases that tests use; a new family adds its own here.
var cases = []string{
	"llama", "llama_bias", "llama_tied_headdim",
	"llama_rope_linear", "llama_rope_llama3", "llama_rope_yarn", "llama_rope_dynamic",
}

// quantised are the cases whose checkpoints are MLX-quantised.
var quantised = []string{"llama_q4_g32", "llama_q4_g64_bf16", "llama_q3_g64", "llama_q5_g64", "llama_q6_g64", "llama_mixed"}

// tokenizers are the tokenizer pipelines that tests use.
var tokenizers = []string{"smollm2", "llama3style", "qwen2style", "o200style", "deepseekstyle", "llama2style", "unigram"}

func main() {
	log.SetFlags(0)
	formats := flag.Bool("formats", false, "DIR holds what testdata/make_formats.py and make_smollm2.py made")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: go run ./golden/oracle/rebuild [-formats] DIR (from the repository root)")
	}
	run := rebuild
	if *formats {
		run = rebuildFormats
	}
	if err := run(flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
}

// What testdata/make_formats.py and make_smollm2.py make.
var (
	formatCases = []string{"llama_widths", "llama_modes", "llama_gguf", "llama_q4_k_m", "llama_q4_k_m_tied", "llama_q2_k", "llama_iq4_xs"}
	formatFiles = []string{"smollm2-q4.json", "smollm2-q8.json"}
)

func rebuildFormats(dir string) error {
	for _, c := range formatCases {
		if err := pack(filepath.Join(dir, c), "testdata/oracle/quantised/"+c+".tar.zst"); err != nil {
			return err
		}
	}
	for _, f := range formatFiles {
		b, err := os.ReadFile(filepath.Join(dir, f))
		if err != nil {
			return err
		}
		if err := write("testdata/oracle/"+f+".zst", b); err != nil {
			return err
		}
	}
	return nil
}

func rebuild(shared string) error {
	for kind, names := range map[string][]string{"cases": cases, "quantised": quantised} {
		for _, c := range names {
			if err := pack(filepath.Join(shared, "oracle/cases", c), "testdata/oracle/"+kind+"/"+c+".tar.zst"); err != nil {
				return err
			}
		}
	}
	bad, err := os.ReadDir(filepath.Join(shared, "oracle/bad"))
	if err != nil {
		return err
	}
	for _, d := range bad {
		if err := pack(filepath.Join(shared, "oracle/bad", d.Name()), "testdata/oracle/bad/"+d.Name()+".tar.zst"); err != nil {
			return err
		}
	}
	files := []string{"oracle/smollm2-greedy.json"}
	for _, t := range tokenizers {
		files = append(files, "tokenizers/"+t+".tokenizer.json", "tokenizers/"+t+".oracle.jsonl")
	}
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(shared, f))
		if err != nil {
			return err
		}
		if err := write("testdata/"+f+".zst", b); err != nil {
			return err
		}
	}
	return nil
}

// pack writes the regular files of dir as a tar with fixed metadata, in name order.
func pack(dir, out string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	tw := tar.NewWriter(&buf)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || !e.Type().IsRegular() {
			return fmt.Errorf("%s/%s: not a plain file", dir, e.Name())
		}
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		if err := tw.WriteHeader(&tar.Header{Name: e.Name(), Mode: 0o644, Size: int64(len(b))}); err != nil {
			return err
		}
		if _, err := tw.Write(b); err != nil {
			return err
		}
	}
	if err := tw.Close(); err != nil {
		return err
	}
	return write(out, buf.Bytes())
}

// write compresses b into the file out.
func write(out string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	return os.WriteFile(out, w.EncodeAll(b, nil), 0o644)
}
