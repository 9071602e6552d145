package jinja

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

// now is the time of make_oracle.py.
func now() time.Time { return time.Date(2026, 3, 7, 9, 5, 2, 123456000, time.UTC) }

// testCases reads cases.txt: templates by name, in order.
func testCases(t testing.TB) (names []string, templates map[string]string) {
	t.Helper()
	templates = map[string]string{}
	for part := range strings.SplitSeq("\n"+readFile(t, "cases.txt"), "\n---- ") {
		if name, template, ok := strings.Cut(part, "\n"); ok && name != "" {
			names = append(names, name)
			templates[name] = template
		}
	}
	return names, templates
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile("../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func variables(t testing.TB) *Dict {
	t.Helper()
	v, err := FromJSON([]byte(readFile(t, "variables.json")))
	if err != nil {
		t.Fatal(err)
	}
	d := NewDict()
	for name, v := range v.(*Dict).All() {
		d.Set(Plain(name), v)
	}
	return d
}

func render(source string, variables *Dict) (Text, error) {
	template, err := Parse(source)
	if err != nil {
		return Text{}, err
	}
	return template.Render(context.Background(), variables, Environment{Now: now, Limits: DefaultLimits})
}

// TestOracle: every case prints what jinja2 prints, and fails where it fails.
func TestOracle(t *testing.T) {
	var want []struct{ Name, Text, Raised, Error string }
	if err := json.Unmarshal([]byte(readFile(t, "cases.oracle.json")), &want); err != nil {
		t.Fatal(err)
	}
	names, templates := testCases(t)
	if len(names) != len(want) || len(want) < 150 {
		t.Fatalf("%d cases, the oracle has %d: run make_oracle.py", len(names), len(want))
	}
	for i, w := range want {
		if names[i] != w.Name {
			t.Fatalf("case %q, the oracle has %q: run make_oracle.py", names[i], w.Name)
		}
		got, err := render(templates[w.Name], variables(t))
		var raised *RaiseError
		var failed *Error
		switch {
		case w.Raised != "":
			if !errors.As(err, &raised) || raised.Message != w.Raised {
				t.Errorf("%s: %v, want it to raise %q", w.Name, err, w.Raised)
			}
		case w.Error != "":
			if !errors.As(err, &failed) {
				t.Errorf("%s: %q, %v, want an error", w.Name, got, err)
			}
		case err != nil || got.String() != w.Text:
			t.Errorf("%s:\n%q, %v, want\n%q", w.Name, got, err, w.Text)
		}
	}
}
