package oracle

import "testing"

// TestCasesAreConsistent: tokens are the argmax of the logits in every case, so a
// case that was packed wrongly cannot pass for a reference.
func TestCasesAreConsistent(t *testing.T) {
	var cases []Case
	for _, name := range Names(t) {
		cases = append(cases, Load(t, name))
	}
	for _, name := range QuantisedNames(t) {
		cases = append(cases, LoadQuantised(t, name))
	}
	for _, c := range cases {
		name := c.Name
		for _, r := range c.Runs {
			if len(r.Tokens) != len(r.Logits) || len(r.Tokens) != 17 {
				t.Fatalf("%s %s: %d tokens, %d rows of logits, want 17", name, r.Name, len(r.Tokens), len(r.Logits))
			}
			for i, row := range r.Logits {
				best := 0
				for j, v := range row {
					if v > row[best] {
						best = j
					}
				}
				if int32(best) != r.Tokens[i] {
					t.Errorf("%s %s step %d: argmax %d, token %d", name, r.Name, i, best, r.Tokens[i])
				}
			}
		}
	}
	for _, name := range BadNames(t) {
		if b := LoadBad(t, name); b.Error == "" || len(b.Mentions) == 0 {
			t.Errorf("bad/%s: expected.json is incomplete: %+v", name, b)
		}
	}
}
