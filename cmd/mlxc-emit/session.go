package main

import (
	"context"
	"errors"

	"github.com/mlxc/mlxc/compiler"
	"github.com/mlxc/mlxc/runtime"
	"github.com/mlxc/mlxc/runtime/bundle"
	"github.com/mlxc/mlxc/runtime/native/cpu"
	"github.com/mlxc/mlxc/runtime/native/trampoline"
	"github.com/mlxc/mlxc/runtime/sample"
)

// openSession runs bundles for the self-check, with package runtime.
var openSession compiler.OpenSession = func(ctx context.Context, b *bundle.Bundle, device, cpu string) (compiler.Session, error) {
	backend, err := runtime.BackendFor(device, b)
	if err != nil {
		return nil, err
	}
	var o runtime.Options
	if cpu != "" {
		o.CPUs = []string{cpu}
	}
	s, err := backend.Open(ctx, b, o)
	if err != nil {
		return nil, cannotRun(err)
	}
	return session{s}, nil
}

// cannotRun marks errors that say nothing against the bundle: this machine, or this
// version, can't run it.
func cannotRun(err error) error {
	if errors.Is(err, trampoline.ErrUnsupported) || errors.Is(err, cpu.ErrUnknown) {
		return &compiler.CannotRunError{Reason: err.Error()}
	}
	return err
}

// session is a runtime.Session as the self-check sees it: logits instead of tokens.
type session struct{ runtime.Session }

func (s session) Slots() int       { return s.Capabilities().Slots }
func (s session) Release(slot int) { s.Session.Release(runtime.Slot(slot)) }

func (s session) Open(ctx context.Context) (int, error) {
	slot, err := s.Session.Open(ctx, sample.Spec{})
	return int(slot), err
}

func (s session) Prefill(ctx context.Context, slot int, tokens []int32) ([]float32, error) {
	step, err := s.Session.Prefill(ctx, runtime.Slot(slot), tokens)
	if err := errors.Join(err, step.Err); err != nil {
		return nil, err
	}
	return s.Logits(runtime.Slot(slot))
}

func (s session) Decode(ctx context.Context, slots []int, tokens []int32) ([][]float32, error) {
	open := make([]runtime.Slot, len(slots))
	for i, slot := range slots {
		open[i] = runtime.Slot(slot)
		if err := s.Feed(open[i], tokens[i]); err != nil {
			return nil, err
		}
	}
	steps, err := s.Session.Decode(ctx, open)
	if err != nil {
		return nil, err
	}
	rows := make([][]float32, len(slots))
	for i, slot := range open {
		if steps[i].Err != nil {
			return nil, steps[i].Err
		}
		if rows[i], err = s.Logits(slot); err != nil {
			return nil, err
		}
	}
	return rows, nil
}
