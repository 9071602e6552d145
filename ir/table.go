package ir

import "errors"

func infer(m *Module, op *Op) ([]Type, error) { return nil, errors.New("ir: no op table yet") }

// Verify checks the invariants of a module.
func Verify(m *Module) error { return nil }

// SplatTensor is a tensor whose elements are all v, rounded to nearest even.
func SplatTensor(t Type, v float64) *Tensor { return &Tensor{Type: t} }
