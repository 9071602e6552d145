package jsonerror

import (
	"encoding/json"
	"testing"
)

func TestPlain(t *testing.T) {
	type inner struct {
		N *int32 `json:"n"`
	}
	var v struct {
		Text  string             `json:"text"`
		On    bool               `json:"on"`
		List  []inner            `json:"list"`
		Score map[string]float64 `json:"score"`
		Odd   uint8              `json:"odd"`
		Count int                `json:"count"`
	}
	for text, want := range map[string]string{
		`[]`:                     "a list where an object belongs",
		`7`:                      "a number where an object belongs",
		`{"text": true}`:         "text: true or false where a string belongs",
		`{"on": "yes"}`:          "on: a string where true or false belongs",
		`{"list": {}}`:           "list: an object where a list belongs",
		`{"list": [{"n": "x"}]}`: "list.n: a string where a whole number of 32 bits belongs",
		`{"list": [{"n": 1.5}]}`: "list.n: number 1.5 where a whole number of 32 bits belongs",
		`{"score": {"a": []}}`:   "score: a list where a number belongs",
		`{"count": 1e99}`:        "count: number 1e99 where a whole number belongs",
		`{"odd": 256}`:           "odd: number 256 where something else belongs",
		`{`:                      "unexpected end of JSON input",
	} {
		if err := Plain(json.Unmarshal([]byte(text), &v)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if err := Plain(nil); err != nil {
		t.Error(err)
	}
}
