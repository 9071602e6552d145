package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/mlxc/mlxc/runtime/bundle"
)

// Emitted is a bundle that mlxc-emit made, and what making it took.
type Emitted struct {
	Weights  string  `json:"weights"`
	Bundle   string  `json:"-"`
	Bytes    int64   `json:"weight_bytes"`
	State    int64   `json:"state_bytes"`
	Seconds  float64 `json:"emit_seconds"` // few if the modules came from the cache
	Peak     int64   `json:"emit_peak_bytes"`
	Private  int64   `json:"emit_private_bytes"`      // the most beside mapped files
	Compiler int64   `json:"iree_compile_peak_bytes"` // of its largest child; 0: everything came from the cache
	MadeFrom string  `json:"made_from"`               // digest of the program, its flags and the age of its source
}

// emit makes a bundle with the mlxc of this tree, unless it is there: compiled modules
// are cached, but quantising a large model takes minutes.
func emit(ctx context.Context, m Model, weights string, s selection) (Emitted, error) {
	name := "mlxc-" + strings.ReplaceAll(weights, ":", "-") + "-" + s.level.Name
	if len(s.graphs[weights]) > 0 {
		name += "-few" // graphs
	}
	precision, source := weights, m.Source
	if format := keptFormat(weights); format != "" {
		precision, source = "keep", m.files[format]
	}
	bundlePath := filepath.Join(work, m.Name, name+".tar")
	args := []string{"--precision", precision, "--context", strconv.Itoa(s.context), "--cpu", s.level.CPU, "-o", bundlePath}
	if graphs := s.graphs[weights]; len(graphs) > 0 {
		args = append(args, "--graphs", strings.Join(graphs, ","))
	}
	args = append(args, source)
	from, err := digest(binaries+"/mlxc-emit", source, args)
	if err != nil {
		return Emitted{}, err
	}
	record := filepath.Join(work, m.Name, name+".json")
	if e, err := readEmitted(record); err == nil && e.MadeFrom == from {
		e.Bundle = bundlePath
		return e, nil
	}
	e := Emitted{Weights: weights, Bundle: bundlePath, MadeFrom: from}
	var memory *memoryWatch
	start := time.Now()
	_, err = watched(ctx, name, []string{"MLXC_CACHE_DIR=" + work + "/cache"}, func(pid int) (stop func()) {
		memory = watchMemory(pid)
		return memory.stop
	}, binaries+"/mlxc-emit", args...)
	if err != nil {
		return Emitted{}, err
	}
	e.Seconds, e.Peak, e.Private, e.Compiler = time.Since(start).Seconds(), memory.peak, memory.private, memory.child
	if e.Bytes, e.State, err = sizes(bundlePath); err != nil {
		return Emitted{}, err
	}
	text, err := json.Marshal(e)
	if err != nil {
		return Emitted{}, err
	}
	return e, os.WriteFile(record, text, 0o644)
}

func readEmitted(record string) (Emitted, error) {
	var e Emitted
	text, err := os.ReadFile(record)
	if err != nil {
		return e, err
	}
	return e, json.Unmarshal(text, &e)
}

// digest changes whenever the program would make another bundle.
func digest(program, source string, args []string) (string, error) {
	h := sha256.New()
	f, err := os.Open(program)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	st, err := os.Stat(source)
	if err != nil {
		return "", err
	}
	fmt.Fprintln(h, args, st.Size(), st.ModTime().UnixNano())
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// sizes of the weights and the state of a bundle, in bytes.
func sizes(path string) (weights, state int64, err error) {
	b, err := bundle.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer b.Close()
	return b.WeightBytes(), b.Manifest.StateBytes(), nil
}
