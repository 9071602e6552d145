package main

import (
	"fmt"
	"strings"
)

// level is the vector instructions that a run may use. Numbers of two levels don't
// compare: int8 kernels gain most from the newer instructions.
type level struct {
	Name  string
	CMake string // flags that compile llama.cpp for it
	CPU   string // --cpu of mlxc-emit
	Bits  int    // width of the vectors that the multiply-add limit is measured with; 0: any
}

// levels begins with the default.
var levels = []level{
	{Name: "native", CMake: "-DGGML_NATIVE=ON", CPU: "host"},
	{Name: "avx2", CPU: "x86-64-v3", Bits: 256,
		CMake: "-DGGML_NATIVE=OFF -DGGML_SSE42=ON -DGGML_AVX=ON -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON -DGGML_BMI2=ON -DGGML_AVX512=OFF"},
}

func parseLevel(name string) (level, error) {
	for _, l := range levels {
		if l.Name == name {
			return l, nil
		}
	}
	return level{}, fmt.Errorf("-level: %q is unknown: %s", name, levelNames())
}

func levelNames() string {
	var names []string
	for _, l := range levels {
		names = append(names, l.Name)
	}
	return strings.Join(names, ", ")
}
