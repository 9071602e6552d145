package pages

import "testing"

func TestMapProtectUnmap(t *testing.T) {
	b, err := Map(3 * Size)
	if err != nil {
		t.Fatal(err)
	}
	if Address(b)%Size != 0 {
		t.Errorf("mapping at %#x isn't page aligned", Address(b))
	}
	b[Size] = 7
	if err := Protect(b[Size:2*Size], Read); err != nil {
		t.Error(err)
	}
	if b[Size] != 7 || b[0] != 0 || b[3*Size-1] != 0 {
		t.Error("content isn't what was written, zero elsewhere")
	}
	if err := Unmap(b); err != nil {
		t.Error(err)
	}
}

func TestRound(t *testing.T) {
	for n, want := range map[uint64]uint64{0: 0, 1: Size, Size: Size, Size + 1: 2 * Size} {
		if got := Round(n); got != want {
			t.Errorf("Round(%d) = %d, want %d", n, got, want)
		}
	}
}
