package hub

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// client asks the hub. It follows redirects itself: the token goes to the endpoint
// alone, not to the servers that it sends us to.
type client struct {
	Settings
	http *http.Client
	pace pace
	note func(string) // told of long waits
	met  sync.Map     // servers that have answered, by host
}

// pace is how patient a client is.
type pace struct {
	idle     time.Duration // without a byte, after which a request has stalled
	backoff  time.Duration // before the second attempt; doubles
	longest  time.Duration // wait before an attempt
	attempts int           // in a row without progress
	wait     func(context.Context, time.Duration) error
}

// usual outlasts a network that is away for a minute. A server that was never there is
// another matter: see awayError.
var usual = pace{idle: 30 * time.Second, backoff: time.Second, longest: 6 * time.Minute, attempts: 7, wait: wait}

// connections is how many requests run at the same time.
const connections = 4

// awayAttempts are made to reach a server that was never met, and dialTime is what each may
// take.
const (
	awayAttempts = 2
	dialTime     = 10 * time.Second
)

// maxRedirects of a request.
const maxRedirects = 10

func newClient(s Settings, p pace, note func(string)) *client {
	t := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		OnProxyConnectResponse: proxyAnswer,
		DialContext:            (&net.Dialer{Timeout: min(p.idle, dialTime), KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:    p.idle,
		MaxIdleConnsPerHost:    connections,
		IdleConnTimeout:        time.Minute,
		MaxResponseHeaderBytes: 1 << 16,
		DisableCompression:     true, // ranges and digests are of the files themselves
		Protocols:              new(http.Protocols),
	}
	t.Protocols.SetHTTP1(true) // HTTP/2 would put all requests on one connection
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client{Settings: s, http: &http.Client{Transport: t, CheckRedirect: stay}, pace: p, note: note}
}

// proxyAnswer refuses what a proxy says for good: it wants a password, say.
func proxyAnswer(_ context.Context, proxy *url.URL, _ *http.Request, resp *http.Response) error {
	if resp.StatusCode >= 400 && resp.StatusCode < 500 {
		return permanent(fmt.Errorf("the proxy %s://%s answers %s; see HTTPS_PROXY, or NO_PROXY if none is needed", proxy.Scheme, proxy.Host, resp.Status))
	}
	return nil
}

func (c *client) close() { c.http.CloseIdleConnections() }

// address is that of a resource of the endpoint. Slashes within a segment are escaped.
func (c *client) address(segments ...string) string {
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return c.Endpoint.String() + "/" + strings.Join(segments, "/")
}

// isEndpoint reports whether an address is on the endpoint's own server, which may have
// sent us on to its secure side.
func (c *client) isEndpoint(u *url.URL) bool {
	return (u.Scheme == c.Endpoint.Scheme || u.Scheme == "https") && strings.EqualFold(u.Host, c.Endpoint.Host)
}

// request is one GET.
type request struct {
	address string
	// header gives what is asked of a server beyond the address; may be nil.
	header func(host string) http.Header
	// look sees each answer of the endpoint itself, redirects included; may be nil.
	look func(*http.Response) error
}

// get sends one request and follows it where it is sent on. The answer is 200, 206 or a
// *statusError. A server that is silent for pace.idle ends it with errStalled, while the
// body is read, too.
func (c *client) get(ctx context.Context, r request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(c.pace.idle, func() { cancel(errStalled) })
	resp, err := c.follow(ctx, r)
	if err != nil {
		err = cleaned(ctx, err)
		timer.Stop()
		cancel(nil)
		return nil, err
	}
	timer.Stop()
	resp.Body = &watched{ReadCloser: resp.Body, ctx: ctx, timer: timer, idle: c.pace.idle, cancel: cancel}
	return resp, nil
}

func (c *client) follow(ctx context.Context, r request) (*http.Response, error) {
	u, err := url.Parse(r.address)
	if err != nil {
		return nil, permanent(err)
	}
	for range maxRedirects {
		resp, err := c.once(ctx, u, r)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode == http.StatusOK || resp.StatusCode == http.StatusPartialContent {
			return resp, nil
		}
		to, err := resp.Location()
		redirect := resp.StatusCode >= 300 && resp.StatusCode < 400 && err == nil
		if !redirect {
			err = c.statusError(resp)
		}
		resp.Body.Close()
		switch {
		case !redirect:
			return nil, err
		case to.Scheme != "https" && (to.Scheme != "http" || u.Scheme == "https"):
			return nil, permanent(fmt.Errorf("%s redirects to %s://%s, which isn't secure", place(u), to.Scheme, to.Host))
		}
		u = to
	}
	return nil, permanent(fmt.Errorf("%s: more than %d redirects", place(u), maxRedirects))
}

// once asks one server.
func (c *client) once(ctx context.Context, u *url.URL, r request) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, permanent(err)
	}
	if r.header != nil {
		req.Header = r.header(u.Host)
	}
	req.Header.Set("User-Agent", "mlxc")
	req.Header.Set("Accept-Encoding", "identity")
	if c.Token != "" && c.isEndpoint(u) {
		req.Header.Set("Authorization", "Bearer "+string(c.Token))
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.mark(u.Host, err)
	}
	c.met.Store(u.Host, true)
	if r.look != nil && c.isEndpoint(u) {
		if err := r.look(resp); err != nil {
			resp.Body.Close()
			return nil, err
		}
	}
	return resp, nil
}

// awayError is a server, or the proxy on the way to it, to which there is no connection,
// and never was one: its name isn't known, say, or nobody listens.
type awayError struct{ error }

func (e awayError) Unwrap() error { return e.error }

// mark makes an awayError of what the client says, if it is one.
func (c *client) mark(host string, err error) error {
	var in *url.Error
	var dns *net.DNSError
	var op *net.OpError
	_, met := c.met.Load(host)
	lost := errors.As(err, &dns) || errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect")
	if lost && !met && errors.As(err, &in) {
		in.Err = awayError{in.Err}
	}
	return err
}

// cleaned is err without what it must not show: addresses may be signed.
func cleaned(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	var in *url.Error
	if errors.As(err, &in) {
		if u, e := url.Parse(in.URL); e == nil {
			return fmt.Errorf("%s: %w", place(u), in.Err)
		}
		return in.Err
	}
	return err
}

// place is an address without user, password and query.
func place(u *url.URL) string { return u.Scheme + "://" + u.Host + u.EscapedPath() }

var errStalled = errors.New("the server has sent nothing for a while")

// watched is a body whose reads must not take longer than idle.
type watched struct {
	io.ReadCloser
	ctx    context.Context
	timer  *time.Timer
	idle   time.Duration
	cancel context.CancelCauseFunc
}

func (w *watched) Read(p []byte) (int, error) {
	w.timer.Reset(w.idle)
	n, err := w.ReadCloser.Read(p)
	w.timer.Stop()
	if cause := context.Cause(w.ctx); err != nil && err != io.EOF && cause != nil {
		err = cause
	}
	return n, err
}

func (w *watched) Close() error {
	w.timer.Stop()
	defer w.cancel(nil)
	return w.ReadCloser.Close()
}

// statusError is an answer that isn't what was asked for.
type statusError struct {
	Status   int
	Code     string // the hub's X-Error-Code
	Message  string // the server's words
	Place    string
	Foreign  bool // it came from another server than the endpoint
	Total    int64
	WaitTime time.Duration // that the server asks for
}

func (e *statusError) Error() string {
	s := fmt.Sprintf("%s: %d %s", e.Place, e.Status, http.StatusText(e.Status))
	if e.Message != "" {
		s += ": " + e.Message
	}
	return s
}

// statusError reads what a failed answer says of itself.
func (c *client) statusError(resp *http.Response) *statusError {
	e := &statusError{
		Status: resp.StatusCode, Code: resp.Header.Get("X-Error-Code"), Message: resp.Header.Get("X-Error-Message"),
		Place: place(resp.Request.URL), Foreign: !c.isEndpoint(resp.Request.URL), WaitTime: waitTime(resp.Header, time.Now()), Total: -1,
	}
	if _, err := fmt.Sscanf(resp.Header.Get("Content-Range"), "bytes */%d", &e.Total); err != nil {
		e.Total = -1
	}
	if e.Message == "" {
		const most = 4096
		text, _ := io.ReadAll(io.LimitReader(resp.Body, most)) // what was read will do
		var said struct {
			Error string `json:"error"`
		}
		if json.Unmarshal(text, &said) == nil {
			e.Message = said.Error
		}
	}
	e.Message = c.harmless(e.Message)
	return e
}

// harmless is a server's text, short, in one line and without the token.
func (c *client) harmless(text string) string {
	if c.Token != "" {
		text = strings.ReplaceAll(text, string(c.Token), c.Token.String())
	}
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
	const most = 300
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}

// waitTime is how long a server wants to be left alone: Retry-After in seconds or as a
// date, or the hub's RateLimit (`"api";r=0;t=55`: 55 s until the next window).
func waitTime(h http.Header, now time.Time) time.Duration {
	const most = 1 << 20 // seconds
	var seconds int64
	after := strings.TrimSpace(h.Get("Retry-After"))
	if _, err := fmt.Sscanf(after, "%d", &seconds); err == nil && seconds > 0 {
		return time.Duration(min(seconds, most)) * time.Second
	}
	if date, err := http.ParseTime(after); err == nil && date.After(now) {
		return min(date.Sub(now), most*time.Second)
	}
	var left int64
	if _, limit, ok := strings.Cut(h.Get("RateLimit"), ";"); ok {
		if _, err := fmt.Sscanf(limit, "r=%d;t=%d", &left, &seconds); err == nil && left == 0 && seconds > 0 {
			return time.Duration(min(seconds, most)) * time.Second
		}
	}
	return 0
}

// permanentError is one that another attempt won't change.
type permanentError struct{ error }

func (e permanentError) Unwrap() error { return e.error }

func permanent(err error) error { return permanentError{err} }

// temporary reports whether another attempt may help.
func temporary(ctx context.Context, err error) bool {
	var p permanentError
	var s *statusError
	var certificate *tls.CertificateVerificationError
	switch {
	case ctx.Err() != nil, errors.As(err, &p), errors.As(err, &certificate):
		return false
	case errors.As(err, &s):
		return s.Status >= 500 || s.Status == http.StatusRequestTimeout || s.Status == http.StatusTooManyRequests ||
			s.Foreign // a signed address has run out, say; the hub gives another
	}
	return true
}

// retry makes attempts until one succeeds, fails for good, or too many in a row fail
// without progress. Between them it waits, at random up to twice as long each time, or
// as long as the server asks.
func (c *client) retry(ctx context.Context, attempt func() (progress bool, err error)) error {
	for failed := 0; ; {
		progress, err := attempt()
		if err == nil || !temporary(ctx, err) {
			return err
		}
		if progress {
			failed = 0
		}
		most := c.pace.attempts
		if errors.As(err, &awayError{}) {
			most = min(most, awayAttempts)
		}
		if failed++; failed >= most {
			return fmt.Errorf("%w (after %d attempts)", err, failed)
		}
		pause := min(c.pace.backoff<<(failed-1), 30*c.pace.backoff)
		pause = pause/2 + rand.N(pause/2+1)
		var s *statusError
		if errors.As(err, &s) && s.WaitTime > pause {
			pause = s.WaitTime + rand.N(c.pace.backoff)
			if s.WaitTime > c.pace.longest {
				return fmt.Errorf("%w (it asks to wait %s; try again then)", err, s.WaitTime)
			}
		}
		if pause >= 2*c.pace.backoff {
			c.note(fmt.Sprintf("%v; trying again in %s", err, pause.Round(time.Second)))
		}
		if err := c.pace.wait(ctx, pause); err != nil {
			return err
		}
	}
}

// wait waits until d has passed or ctx ends.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
