package hub

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mlxc/mlxc/compiler/checkpoint/rawfile"
)

// Settings are where the hub is and who asks, as HF's own tools take them from the
// environment.
type Settings struct {
	Endpoint *url.URL
	Token    Secret // "" for none
	TokenIn  string // where the token was found: "HF_TOKEN", or a file
	Offline  bool   // take from caches alone
	HFCache  string // the cache of HF's own library, which is read only
}

// Secret is a text that doesn't show in messages.
type Secret string

// String hides the text.
func (Secret) String() string { return "(secret)" }

// GoString hides the text.
func (Secret) GoString() string { return "(secret)" }

// FromEnv reads HF_ENDPOINT, HF_TOKEN, HF_TOKEN_PATH, HF_HOME, HF_HUB_CACHE and
// HF_HUB_OFFLINE. Errors name the variable.
func FromEnv() (s Settings, err error) {
	if s.Endpoint, err = endpoint(cmp.Or(os.Getenv("HF_ENDPOINT"), "https://huggingface.co")); err != nil {
		return s, err
	}
	s.Offline = slices.Contains([]string{"1", "ON", "YES", "TRUE"}, strings.ToUpper(os.Getenv("HF_HUB_OFFLINE")))
	home, err := hfHome()
	if err != nil {
		return s, err
	}
	s.HFCache = expand(cmp.Or(os.Getenv("HF_HUB_CACHE"), os.Getenv("HUGGINGFACE_HUB_CACHE"), filepath.Join(home, "hub")))
	if s.HFCache, err = filepath.Abs(s.HFCache); err != nil { // links lead there
		return s, fmt.Errorf("HF's cache: %w", err)
	}
	for _, name := range []string{"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"} {
		if token := strings.TrimSpace(os.Getenv(name)); token != "" && s.Token == "" {
			s.Token, s.TokenIn = Secret(token), name
		}
	}
	if s.Token == "" {
		s.Token, s.TokenIn, err = tokenFile(expand(cmp.Or(os.Getenv("HF_TOKEN_PATH"), filepath.Join(home, "token"))))
	}
	return s, errors.Join(err, checkToken(s.Token, s.TokenIn))
}

func endpoint(text string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(text, "/"))
	switch {
	case err != nil:
		return nil, errors.New("HF_ENDPOINT isn't the address of a server, such as https://huggingface.co") // the text may hold a password
	case u.Scheme != "https" && u.Scheme != "http", u.Host == "", u.RawQuery != "", u.Fragment != "":
		return nil, fmt.Errorf("HF_ENDPOINT is %s, not the address of a server, such as https://huggingface.co", u.Redacted())
	}
	return u, nil
}

// hfHome is the folder of HF's tools.
func hfHome() (string, error) {
	if home := os.Getenv("HF_HOME"); home != "" {
		return expand(home), nil
	}
	if cache := os.Getenv("XDG_CACHE_HOME"); cache != "" {
		return filepath.Join(expand(cache), "huggingface"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no folder for HF's token and cache: %w; name one in HF_HOME", err)
	}
	return filepath.Join(home, ".cache", "huggingface"), nil
}

// expand replaces a leading ~ and variables, as HF's tools do.
func expand(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		path = "$HOME/" + rest
	}
	return os.ExpandEnv(path)
}

// tokenFile reads a token that the user has logged in with; there need not be one.
func tokenFile(path string) (Secret, string, error) {
	const most = 4096
	data, err := rawfile.Read(path, most)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", "", nil
	case err != nil:
		return "", "", fmt.Errorf("token file: %w", err)
	}
	return Secret(strings.TrimSpace(string(data))), path, nil
}

// checkToken refuses what can't be sent, without showing it.
func checkToken(token Secret, in string) error {
	if strings.ContainsFunc(string(token), func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fmt.Errorf("the token in %s has spaces or characters beyond ASCII in it, which no token has", in)
	}
	return nil
}
