package roofline

import "testing"

// The numbers themselves depend on the machine and its load; a wrong unit or a loop
// that the compiler removed would be off by far more than these bounds.
func TestLimitsArePlausible(t *testing.T) {
	bw, err := Bandwidth(1)
	if err != nil {
		t.Fatal(err)
	}
	if bw < 1e8 || bw > 2e12 {
		t.Errorf("memory is read at %.3g bytes/s: not between 0.1 GB/s and 2 TB/s", bw)
	}
	peak := FMAPeak(1, 0)
	if len(fmaKernels()) == 0 && peak != 0 {
		t.Errorf("%.3g float32 operations/s without a loop", peak)
	}
	if len(fmaKernels()) > 0 && (peak < 1e9 || peak > 1e12) {
		t.Errorf("%.3g float32 operations/s: not between 1 G and 1 T", peak)
	}
	if narrow := FMAPeak(1, 128); narrow != 0 {
		t.Errorf("%.3g float32 operations/s in vectors of 128 bits, for which there is no loop", narrow)
	}
}

func BenchmarkReadLinesInCache(b *testing.B) {
	words := make([]uint64, 32<<10)
	b.SetBytes(int64(len(words) * 8))
	for b.Loop() {
		readLines(words)
	}
}
