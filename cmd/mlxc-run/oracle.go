package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"strings"

	"github.com/mlxc/mlxc/compiler/checkpoint/rawfile"
	"github.com/mlxc/mlxc/compiler/checkpoint/safetensors"
	"github.com/mlxc/mlxc/runtime/validate"
)

// maxOracleText is the longest greedy.json or oracle.json in bytes.
const maxOracleText = 64 << 20

// readOracle reads an oracle file by its suffix.
func readOracle(path string) ([]validate.Sequence, float64, error) {
	if strings.HasSuffix(path, ".json") {
		text, err := rawfile.Read(path, maxOracleText)
		if err != nil {
			return nil, 0, err
		}
		seqs, err := validate.FromGreedy(bytes.NewReader(text))
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", path, err)
		}
		return seqs, validate.DefaultTolerance, nil
	}
	f, err := safetensors.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	seqs, err := validate.FromTensors(oracleFile{f})
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	meta, err := rawfile.Read(filepath.Join(filepath.Dir(path), "oracle.json"), maxOracleText)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	tolerance, err := validate.CaseTolerance(meta)
	return seqs, tolerance, err
}

// oracleFile adapts a safetensors file to what validate reads.
type oracleFile struct{ *safetensors.File }

func (f oracleFile) find(name, dtype string, rank int) (*safetensors.Tensor, error) {
	for i := range f.Tensors {
		t := &f.Tensors[i]
		if t.Name != name {
			continue
		}
		if t.DType != dtype || len(t.Shape) != rank {
			return nil, fmt.Errorf("tensor %s is %s %v, want %s of rank %d", name, t.DType, t.Shape, dtype, rank)
		}
		return t, nil
	}
	return nil, fmt.Errorf("no tensor %s: this is not an oracle file", name)
}

func (f oracleFile) Int32(name string) ([]int32, error) {
	t, err := f.find(name, "I32", 1)
	if err != nil {
		return nil, err
	}
	v := make([]int32, t.Shape[0])
	for i := range v {
		v[i] = int32(binary.LittleEndian.Uint32(t.Data[4*i:]))
	}
	return v, nil
}

func (f oracleFile) Rows(name string) ([][]float32, error) {
	t, err := f.find(name, "F32", 2)
	if err != nil {
		return nil, err
	}
	rows := make([][]float32, t.Shape[0])
	for r := range rows {
		rows[r] = make([]float32, t.Shape[1])
		for i := range rows[r] {
			rows[r][i] = math.Float32frombits(binary.LittleEndian.Uint32(t.Data[4*(r*t.Shape[1]+i):]))
		}
	}
	return rows, nil
}
