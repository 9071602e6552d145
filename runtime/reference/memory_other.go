//go:build !linux

package reference

// machineMemory isn't asked for here.
func machineMemory() int { return assumedMemory }
