package conversation

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for data, want := range map[string]string{
		``:                                     "not an array",
		`{}`:                                   "not an array",
		`null`:                                 "there are no messages",
		`[]`:                                   "there are no messages",
		`["x"]`:                                "not an array",
		`[{"role": "user", "content": "a"}`:    "not an array",
		`[{"role": "user", "content": "a"}] x`: "something after",
		`[{"role": "user", "content": 5}]`:     "content",
		`[{"role": "user", "content": "", "name": ""}]`: `unknown field "name"`,
		`[{"role": "user"}, {"content": "a"}]`:          `message 1 has no "role"`,
	} {
		if m, err := Parse([]byte(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v; want %q", data, m, err, want)
		}
	}
}

func TestFormat(t *testing.T) {
	messages := []Message{{"system", "<b> & \\"}, {"user", "line\nline\t\"quoted\" 日本\u2028"}, {"assistant", ""}}
	data, err := Format(messages)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Parse(data); err != nil || !slices.Equal(got, messages) {
		t.Errorf("%v, %v of %s", got, err, data)
	}
	if !strings.Contains(string(data), `{"role":"system","content":"<b> & \\"},`+"\n") || !strings.HasSuffix(string(data), "\n]\n") {
		t.Errorf("%s", data)
	}
}

// FuzzParse: what is read can be written, and read again as the same.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`[{"role": "user", "content": "a\u0000\ud800<"}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		messages, err := Parse(data)
		if err != nil {
			return
		}
		text, err := Format(messages)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Parse(text); err != nil || !slices.Equal(again, messages) {
			t.Fatalf("%q, %v; was %q", again, err, messages)
		}
	})
}
