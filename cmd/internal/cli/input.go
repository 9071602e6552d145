package cli

import (
	"context"
	"io"
)

// Input is r for as long as ctx lasts: a Read that waits for a terminal or a pipe
// returns ctx's error when it ends. What is waited for then is lost, so nothing else
// may read r afterwards.
func Input(ctx context.Context, r io.Reader) io.Reader { return input{ctx, r} }

type input struct {
	ctx context.Context
	r   io.Reader
}

func (i input) Read(p []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	buf := make([]byte, len(p)) // p is the caller's again when ctx has ended
	go func() {
		n, err := i.r.Read(buf)
		done <- result{n, err}
	}()
	select {
	case r := <-done:
		return copy(p, buf[:r.n]), r.err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}
