package vmfb

import (
	"fmt"
	"strings"
)

// Signature is the calling convention of a function: one letter a value.
//
//	i I f F   32- and 64-bit integers and floats
//	r         reference
//	C…D       span: the values between occur any number of times
type Signature struct {
	Arguments string // "rIC" …
	Results   string
}

// maxSignature is the number of letters that a calling convention may have.
const maxSignature = 1 << 15

// ParseSignature reads IREE's spelling: "0rIi_v" takes a reference and two integers
// and returns nothing.
func ParseSignature(s string) (Signature, error) {
	if s == "" {
		return Signature{}, nil
	}
	body, ok := strings.CutPrefix(s, "0")
	if !ok || len(s) > maxSignature {
		return Signature{}, fmt.Errorf("vmfb: calling convention %.40q: only version 0 is supported", s)
	}
	arguments, results, _ := strings.Cut(body, "_")
	sig := Signature{strings.TrimPrefix(arguments, "v"), strings.TrimPrefix(results, "v")}
	if strings.ContainsAny(sig.Results, "CD") || strings.Trim(sig.Results, "iIfFr") != "" || !validArguments(sig.Arguments) {
		return Signature{}, fmt.Errorf("vmfb: calling convention %.40q has an unknown form", s)
	}
	return sig, nil
}

// validArguments allows value letters and spans of them, not nested, not empty.
func validArguments(s string) bool {
	span := -1 // letters in the current span
	for _, c := range s {
		switch {
		case c == 'C' && span < 0:
			span = 0
		case c == 'D' && span > 0:
			span = -1
		case strings.ContainsRune("iIfFr", c):
			if span >= 0 {
				span++
			}
		default:
			return false
		}
	}
	return span < 0
}

// String is IREE's spelling.
func (s Signature) String() string {
	part := func(p string) string {
		if p == "" {
			return "v"
		}
		return p
	}
	return "0" + part(s.Arguments) + "_" + part(s.Results)
}
