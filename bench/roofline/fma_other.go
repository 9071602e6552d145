//go:build !amd64

package roofline

// fmaKernels has no loop for this processor.
func fmaKernels() []fmaKernel { return nil }
