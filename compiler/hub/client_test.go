package hub

import (
	"context"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mlxc/mlxc/compiler/hub/hubtest"
)

// Who gets the token.
func TestIsEndpoint(t *testing.T) {
	for _, c := range []struct {
		endpoint, address string
		want              bool
	}{
		{"https://huggingface.co", "https://huggingface.co/x?y", true},
		{"https://huggingface.co", "https://HuggingFace.co/x", true},
		{"https://huggingface.co", "http://huggingface.co/x", false},
		{"https://huggingface.co", "https://cdn-lfs.huggingface.co/x", false},
		{"https://huggingface.co", "https://huggingface.co.evil.example/x", false},
		{"https://huggingface.co", "https://huggingface.co:8443/x", false},
		{"https://huggingface.co", "https://huggingface.co@evil.example/x", false},
		{"http://mirror:8080/hf", "http://mirror:8080/elsewhere", true},
		{"http://mirror:8080/hf", "http://mirror:8081/hf", false},
		{"http://mirror", "https://mirror/hf", true},
	} {
		endpoint, err := url.Parse(c.endpoint)
		if err != nil {
			t.Fatal(err)
		}
		address, err := url.Parse(c.address)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&client{Settings: Settings{Endpoint: endpoint}}).isEndpoint(address); got != c.want {
			t.Errorf("%s of %s: %v", c.address, c.endpoint, got)
		}
	}
}

// A secure server is asked with the token, must prove who it is, and can't send us to one
// that isn't secure.
func TestTLS(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the plain server is asked") }))
	defer plain.Close()
	asked := 0
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if r.Header.Get("Authorization") != "Bearer "+hubtest.Token || r.ProtoMajor != 1 {
			t.Errorf("%s, %v", r.Proto, r.Header)
		}
		http.Redirect(w, r, plain.URL, http.StatusFound)
	}))
	defer secure.Close()
	endpoint, err := url.Parse(secure.URL)
	if err != nil {
		t.Fatal(err)
	}
	attempts := 0
	get := func(trust *x509.CertPool) error {
		attempts = 0
		c := newClient(Settings{Endpoint: endpoint, Token: hubtest.Token}, pace{idle: time.Minute, attempts: 3, wait: func(context.Context, time.Duration) error { return nil }}, func(string) {})
		defer c.close()
		config := secure.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
		config.RootCAs, config.NextProtos = trust, nil
		c.http.Transport.(*http.Transport).TLSClientConfig = config
		return c.retry(t.Context(), func() (bool, error) {
			attempts++
			_, err := c.get(t.Context(), request{address: secure.URL + "/x"})
			return false, err
		})
	}
	trusted := x509.NewCertPool()
	trusted.AddCert(secure.Certificate())
	if err := get(trusted); err == nil || !strings.Contains(err.Error(), "/x redirects to http://"+strings.TrimPrefix(plain.URL, "http://")+", which isn't secure") || attempts != 1 {
		t.Errorf("%v, %d attempts", err, attempts)
	}
	before := asked
	if err := get(x509.NewCertPool()); err == nil || !strings.Contains(err.Error(), "certificate signed by unknown authority") || attempts != 1 || asked != before {
		t.Errorf("%v, %d attempts", err, attempts)
	}
}

// A server that can't be reached is given up soon; one that was there a while ago isn't.
func TestAway(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	endpoint, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	dialed := 0
	failing := func(err error) func(context.Context, string, string) (net.Conn, error) {
		return func(context.Context, string, string) (net.Conn, error) { dialed++; return nil, err }
	}
	dial := func(op string, err error) error { return &net.OpError{Op: op, Net: "tcp", Err: err} }
	for _, c := range []struct {
		err   error
		met   bool
		tries int
	}{
		{dial("dial", syscall.ECONNREFUSED), false, 2},
		{dial("dial", syscall.ENETUNREACH), false, 2},
		{dial("dial", os.ErrDeadlineExceeded), false, 2},
		{dial("dial", &net.DNSError{Err: "no such host", Name: "huggingface.co", IsNotFound: true}), false, 2},
		{&net.DNSError{Err: "server misbehaving", Name: "huggingface.co", IsTemporary: true}, false, 2},
		{dial("proxyconnect", syscall.ECONNREFUSED), false, 2},
		{dial("read", syscall.ECONNRESET), false, 5},
		{dial("dial", syscall.ECONNREFUSED), true, 5},
		{dial("dial", &net.DNSError{Err: "no such host", Name: "huggingface.co", IsNotFound: true}), true, 5},
	} {
		client := newClient(Settings{Endpoint: endpoint}, pace{idle: time.Minute, attempts: 5, wait: func(context.Context, time.Duration) error { return nil }}, func(string) {})
		get := func() (bool, error) {
			resp, err := client.get(t.Context(), request{address: server.URL + "/x"})
			if err == nil {
				resp.Body.Close()
			}
			return false, err
		}
		if c.met {
			if _, err := get(); err != nil {
				t.Fatal(err)
			}
			client.close()
		}
		dialed = 0
		client.http.Transport.(*http.Transport).DialContext = failing(c.err)
		err := client.retry(t.Context(), get)
		client.close()
		if err == nil || !errors.Is(err, c.err) || errors.As(err, &awayError{}) != (c.tries == 2) || dialed != c.tries {
			t.Errorf("%v, met %v: tried %d times, want %d: %v", c.err, c.met, dialed, c.tries, err)
		}
	}
}

// What a proxy refuses it refuses for good; it is named without its password.
func TestProxyRefuses(t *testing.T) {
	asked := 0
	status := 0
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.WriteHeader(status)
	}))
	defer proxy.Close()
	endpoint, err := url.Parse("https://hub.invalid")
	if err != nil {
		t.Fatal(err)
	}
	through, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	through.User = url.UserPassword("me", "sEcReT")
	for code, tries := range map[int]int{407: 1, 403: 1, 503: 3} {
		c := newClient(Settings{Endpoint: endpoint}, pace{idle: time.Minute, attempts: 3, wait: func(context.Context, time.Duration) error { return nil }}, func(string) {})
		c.http.Transport.(*http.Transport).Proxy = http.ProxyURL(through)
		asked, status = 0, code
		err := c.retry(t.Context(), func() (bool, error) {
			_, err := c.get(t.Context(), request{address: "https://hub.invalid/x"})
			return false, err
		})
		c.close()
		if err == nil || asked != tries || !strings.Contains(err.Error(), http.StatusText(code)) || strings.Contains(err.Error(), "sEcReT") {
			t.Errorf("%d: tried %d times, want %d: %v", code, asked, tries, err)
		}
		if tries == 1 && !strings.HasPrefix(err.Error(), "https://hub.invalid/x: the proxy "+proxy.URL+" answers ") {
			t.Errorf("%d: %v", code, err)
		}
	}
}
