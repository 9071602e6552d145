package chat

import (
	"bytes"
	"strings"
	"testing"
)

func TestWriteMessages(t *testing.T) {
	for text, want := range map[string]string{
		`[]`: "[\n]\n",
		`[{"role":"user","content":"a <b> & \"c\"\n日本\u2028"}, {"role":"assistant","content":""}]`: "[\n" +
			`  {"role": "user", "content": "a <b> & \"c\"\n日本\u2028"},` + "\n" + `  {"role": "assistant", "content": ""}` + "\n]\n",
		`[{"tool_calls": [{"id": 7, "function": {"b": 1, "a": [1.5, 2.0, -0.0, 1e+30, true, null, 123456789012345678901234567890]}}], "content": null, "role": "x"}]`: "[\n" +
			`  {"tool_calls": [{"id": 7, "function": {"b": 1, "a": [1.5, 2.0, -0.0, 1e+30, true, null, 123456789012345678901234567890]}}], "content": null, "role": "x"}` + "\n]\n",
		`[{"content": [{"type": "text", "text": "t"}], "role": "user"}]`: "[\n" + `  {"content": [{"type": "text", "text": "t"}], "role": "user"}` + "\n]\n",
	} {
		messages, err := ReadMessages([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := WriteMessages(messages); err != nil || string(got) != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
	}
	if messages, err := ReadMessages([]byte(`[{"role": "user", "x": 1e999}]`)); err != nil {
		t.Fatal(err)
	} else if text, err := WriteMessages(messages); err == nil || !strings.Contains(err.Error(), "message 0") {
		t.Errorf("infinity: %s, %v", text, err)
	}
}

// FuzzWriteMessages: what is read and written is written as the same after it is read
// again.
func FuzzWriteMessages(f *testing.F) {
	f.Add([]byte(`[{"role": "user", "content": "a\u0000\ud800<", "content": [{"a": 1e3}]}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		messages, err := ReadMessages(data)
		if err != nil {
			return
		}
		text, err := WriteMessages(messages)
		if err != nil {
			return // a number beyond float64
		}
		again, err := ReadMessages(text)
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if twice, err := WriteMessages(again); err != nil || !bytes.Equal(twice, text) {
			t.Fatalf("%s, %v, was %s", twice, err, text)
		}
	})
}
