package ir

import "testing"

func TestParseOfPrintIsTheModule(t *testing.T) {
	m := everyOp(t)
	text := Print(m)
	back, err := Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !Equal(m, back) {
		t.Errorf("another module:\n%s\n%s", printBare(m), printBare(back))
	}
	if again := Print(back); again != text {
		t.Errorf("another text:\n%s\n%s", text, again)
	}
}
