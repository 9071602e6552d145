package jinja

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// outside is a character that templates can't write unless they are given it.
const outside = '\uE000'

// FuzzTemplate: no template breaks the parser or the evaluator, or outlasts its limits,
// and what came from outside is marked as content wherever it ends up.
func FuzzTemplate(f *testing.F) {
	names, templates := testCases(f)
	for _, name := range names {
		f.Add(templates[name])
	}
	files, err := filepath.Glob("../testdata/templates/*.jinja")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		f.Add(readFile(f, "templates/"+filepath.Base(file)))
	}
	given, err := FromJSON([]byte(strings.NewReplacer("Hello", string(outside), "brown", string(outside)+"é", "kind", string(outside)).Replace(readFile(f, "variables.json"))))
	if err != nil {
		f.Fatal(err)
	}
	variables := NewDict()
	for name, v := range given.(*Dict).All() {
		variables.Set(Plain(name), v)
	}
	limits := Limits{Steps: 50_000, Bytes: 4 << 20, Depth: 100}
	f.Fuzz(func(t *testing.T, source string) {
		template, err := Parse(source)
		if err != nil {
			return
		}
		text, err := template.Render(context.Background(), variables, Environment{Now: now, Limits: limits})
		var failed *Error
		var raised *RaiseError
		if err != nil && !errors.As(err, &failed) && !errors.As(err, &raised) {
			t.Errorf("error of type %T: %v", err, err)
		}
		checkMarks(t, source, text)
	})
}

func checkMarks(t *testing.T, source string, text Text) {
	t.Helper()
	joined := ""
	// A character by its number (an escape, %c) is the template's own.
	byNumber := strings.ContainsAny(source, `\`) || strings.Contains(source, "%c") || strings.Contains(source, "format") || strings.ContainsRune(source, outside)
	for _, s := range text.Segments() {
		joined += s.Text
		if s.Text == "" || utf8.ValidString(text.s) && !utf8.ValidString(s.Text) {
			t.Errorf("segment %q of %q", s.Text, text.s)
		}
		if !byNumber && !s.Content && strings.ContainsRune(s.Text, outside) {
			t.Errorf("%q: text from outside in %q, which counts as the template's own", source, s.Text)
		}
	}
	if joined != text.s {
		t.Errorf("segments give %q, the text is %q", joined, text.s)
	}
}
