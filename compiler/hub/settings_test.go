package hub

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// variables are all that FromEnv looks at.
var variables = []string{"HF_ENDPOINT", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_TOKEN_PATH", "HF_HOME", "XDG_CACHE_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HUB_OFFLINE"}

func TestFromEnv(t *testing.T) {
	home := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file("login/token", "hf_fromLogin\n")
	file("empty/token", "\n")
	other := file("other", " hf_other ")
	long := file("long", strings.Repeat("x", 5000))
	spaced := file("spaced", "hf_two tokens")
	for _, c := range []struct{ env, want string }{
		{"", "https://huggingface.co HOME/.cache/huggingface/hub"},
		{"XDG_CACHE_HOME=HOME/c", "https://huggingface.co HOME/c/huggingface/hub"},
		{"HF_HOME=~/login", "https://huggingface.co HOME/login/hub hf_fromLogin in HOME/login/token"},
		{"HF_HOME=login", "https://huggingface.co HERE/login/hub"},
		{"HF_HOME=HOME/empty", "https://huggingface.co HOME/empty/hub"},
		{"HF_HOME=HOME/login HF_TOKEN=hf_env", "https://huggingface.co HOME/login/hub hf_env in HF_TOKEN"},
		{"HUGGING_FACE_HUB_TOKEN=hf_old", "https://huggingface.co HOME/.cache/huggingface/hub hf_old in HUGGING_FACE_HUB_TOKEN"},
		{"HF_TOKEN_PATH=" + other, "https://huggingface.co HOME/.cache/huggingface/hub hf_other in HOME/other"},
		{"HF_HUB_CACHE=${HF_HOME}/cache HF_HOME=/h HF_HUB_OFFLINE=yes HF_ENDPOINT=http://mirror:8080/hf/", "http://mirror:8080/hf /h/cache offline"},
		{"HF_HUB_OFFLINE=0", "https://huggingface.co HOME/.cache/huggingface/hub"},
		{"HF_ENDPOINT=mirror", "HF_ENDPOINT is mirror, not the address of a server"},
		{"HF_ENDPOINT=ftp://u:geheim@mirror", "HF_ENDPOINT is ftp://u:xxxxx@mirror, not the address of a server"},
		{"HF_ENDPOINT=http://u:geheim@[", "HF_ENDPOINT isn't the address of a server"},
		{"HF_TOKEN_PATH=" + long, "token file: read HOME/long: too long: the limit is 4096 bytes"},
		{"HF_TOKEN_PATH=" + home, "token file: open HOME: not a regular file but a directory"},
		{"HF_TOKEN_PATH=" + spaced, "the token in HOME/spaced has spaces or characters beyond ASCII in it"},
	} {
		t.Run(c.env, func(t *testing.T) {
			for _, name := range variables {
				t.Setenv(name, "")
			}
			t.Setenv("HOME", home)
			for setting := range strings.FieldsSeq(c.env) {
				name, value, _ := strings.Cut(setting, "=")
				t.Setenv(name, strings.Replace(value, "HOME/", home+"/", 1))
			}
			s, err := FromEnv()
			got := fmt.Sprint(err)
			if err == nil {
				got = s.Endpoint.String() + " " + s.HFCache
				if s.Token != "" {
					got += " " + string(s.Token) + " in " + s.TokenIn
				}
				if s.Offline {
					got += " offline"
				}
			}
			here, err2 := os.Getwd()
			if err2 != nil {
				t.Fatal(err2)
			}
			want := strings.NewReplacer("HOME", home, "HERE", here).Replace(c.want)
			if err == nil && got != want || !strings.Contains(got, want) || strings.Contains(got, "geheim") {
				t.Errorf("%s, want %s", got, want)
			}
			if text := fmt.Sprintf("%v %+v %#v %s %q", s, s, s, s.Token, s.Token); s.Token != "" && strings.Contains(text, string(s.Token)) {
				t.Errorf("it shows the token: %s", text)
			}
		})
	}
}
