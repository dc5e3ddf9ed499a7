package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"pawl/internal/words"
)

// MaxPage is how many bytes of an answer are read, unpacked.
const MaxPage = 10 << 20

// Bounds of one request.
const (
	fetchTime      = 30 * time.Second // from the request to the last byte
	fetchRedirects = 5                // within one host
)

var errTooSlow = errors.New("no answer in time")

// Client is the way of the tools to the network. It reaches the open internet and
// what a person allowed beside it; every address is checked when it is connected
// to, so neither a name that changes its address nor a redirect leads inside.
// Its methods may be called from any goroutine.
type Client struct {
	allowed allowance
	agent   string
	client  *http.Client
	direct  *http.Transport
	proxied *http.Transport
	proxy   func(*http.Request) (*url.URL, error)
	names   *net.Resolver // nil: the system's
}

// New takes the hosts, addresses and ranges that may be reached although they
// are not public, and the name that Pawl gives itself to servers.
func New(allowed []string, userAgent string) (*Client, error) {
	list, err := parseAllowance(allowed)
	if err != nil {
		return nil, err
	}
	w := &Client{allowed: list, agent: userAgent, proxy: http.ProxyFromEnvironment}
	w.direct = &http.Transport{DialContext: w.dial, ForceAttemptHTTP2: true, TLSHandshakeTimeout: 10 * time.Second, MaxIdleConns: 4, IdleConnTimeout: 10 * time.Second}
	w.proxied = w.direct.Clone()
	w.proxied.Proxy = func(r *http.Request) (*url.URL, error) { return w.proxy(r) }
	w.proxied.DialContext = (&net.Dialer{Timeout: 10 * time.Second}).DialContext // to the proxy, and nowhere else
	w.client = &http.Client{Transport: (*guarded)(w), CheckRedirect: withinHost}
	return w, nil
}

// Close lets go of idle connections.
func (w *Client) Close() {
	w.direct.CloseIdleConnections()
	w.proxied.CloseIdleConnections()
}

// ParseAddress reads what a model calls an address. The error is for the model.
func ParseAddress(text string) (*url.URL, error) {
	at, err := url.Parse(strings.TrimSpace(text))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%q is not a full address: write it like https://go.dev/doc", text)
	case at.Scheme != "http" && at.Scheme != "https" || at.Hostname() == "":
		return nil, fmt.Errorf("%q is not a web address: it must begin with https:// or http://", text)
	case at.User != nil:
		return nil, errors.New("the address contains a user name: fetch pages that need a login with shell, with the user's own tools")
	}
	at.Fragment, at.RawFragment = "", ""
	host, err := hostName(at.Hostname())
	if err != nil {
		return nil, err
	}
	at.Host = joinPort(host, at.Port())
	return at, nil
}

// joinPort is a host with its port, if it has one, as an address holds them.
func joinPort(host, port string) string {
	switch {
	case port != "":
		return net.JoinHostPort(host, port)
	case strings.Contains(host, ":"):
		return "[" + host + "]"
	}
	return host
}

// Refuses says whether a host can only be inside, so that nobody is asked about it: then
// with an error for the model.
// A name that is not plainly so is found out when it is connected to.
func (w *Client) Refuses(at *url.URL) error {
	host := at.Hostname()
	addr, err := netip.ParseAddr(host)
	inside := err == nil && !w.allowed.addr(addr) || host == "localhost" || strings.HasSuffix(host, ".localhost")
	if inside && !w.allowed.host(host) {
		return &insideError{host: host}
	}
	return nil
}

// Get asks for one address. It returns promptly when ctx ends, with ctx's error, and at the
// latest after 30 s. Every other error is one line for the model.
func (w *Client) Get(ctx context.Context, at *url.URL) (Page, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, fetchTime, errTooSlow)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return Page{}, fmt.Errorf("%s: %w", at, err)
	}
	request.Header.Set("User-Agent", w.agent)
	request.Header.Set("Accept", "text/markdown, text/html;q=0.9, text/*;q=0.8, application/json;q=0.8, image/*;q=0.5, */*;q=0.1")
	response, err := w.client.Do(request)
	if err != nil {
		return Page{}, w.explain(ctx, at, err)
	}
	defer response.Body.Close()
	got := Page{At: response.Request.URL, Status: response.Status, Code: response.StatusCode, header: response.Header.Get("Content-Type")}
	if to, err := response.Location(); err == nil && got.Code >= 300 && got.Code < 400 {
		got.Elsewhere = to
		return got, nil
	}
	got.Body, err = io.ReadAll(io.LimitReader(response.Body, MaxPage+1))
	if err != nil {
		return Page{}, w.explain(ctx, at, fmt.Errorf("after %s: %w", words.Size(int64(len(got.Body))), err))
	}
	if len(got.Body) > MaxPage {
		got.Body, got.Cut = got.Body[:MaxPage], true
	}
	return got, nil
}

// explain words a failure in one line; that ctx ended stays its error.
func (w *Client) explain(ctx context.Context, at *url.URL, err error) error {
	var inside *insideError
	switch {
	case errors.As(err, &inside):
		return inside
	case errors.Is(context.Cause(ctx), errTooSlow):
		return fmt.Errorf("%s did not answer within %v: try again later, or another source", at.Host, fetchTime)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	if outer, is := errors.AsType[*url.Error](err); is {
		err = outer.Err
	}
	return fmt.Errorf("%s cannot be fetched: %s", at.Host, words.CutLine(err.Error(), 300))
}

// insideError reports an address that is not of the open internet.
type insideError struct{ host, addr string }

func (e *insideError) Error() string {
	text := e.host
	if e.addr != "" && e.addr != e.host {
		text += " (" + e.addr + ")"
	}
	return text + " is not on the open internet: fetch reaches such an address only if the user's setting fetch.allow names it"
}

// dial connects to a host by any of its addresses that may be reached.
func (w *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	dialer := &net.Dialer{Timeout: 10 * time.Second, Resolver: w.names}
	if !w.allowed.host(host) {
		dialer.Control = func(_, address string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(address)
			if err != nil || !w.allowed.addr(to.Addr()) {
				return &insideError{host, to.Addr().String()}
			}
			return nil
		}
	}
	return dialer.DialContext(ctx, network, address)
}

// guarded is Client as a transport: a request goes straight, or by the proxy that the
// environment names, which does not know what is inside for us.
type guarded Client

func (g *guarded) RoundTrip(r *http.Request) (*http.Response, error) {
	proxy, err := g.proxy(r)
	if err != nil {
		return nil, err
	}
	if proxy == nil {
		return g.direct.RoundTrip(r)
	}
	if err := g.outside(r.Context(), r.URL.Hostname()); err != nil {
		return nil, err
	}
	return g.proxied.RoundTrip(r)
}

// outside refuses a host that a proxy would look up for us and that lies inside. Of a
// name that this machine cannot look up nobody knows that, so it is refused too.
func (g *guarded) outside(ctx context.Context, host string) error {
	if g.allowed.host(host) {
		return nil
	}
	names := g.names
	if names == nil {
		names = net.DefaultResolver
	}
	found, err := names.LookupNetIP(ctx, "ip", host)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil || len(found) == 0:
		return errors.New("the name cannot be looked up here, and behind the proxy it may be an internal address: ask the user to add it, or a domain such as .com, to the setting fetch.allow")
	}
	for _, addr := range found {
		if !g.allowed.addr(addr) {
			return &insideError{host, addr.String()}
		}
	}
	return nil
}

// withinHost follows a redirect to the same host, an upgrade to https included.
// Another host is another permission: the model has to ask for it.
func withinHost(to *http.Request, via []*http.Request) error {
	first := via[0].URL
	samePort := to.URL.Port() == first.Port()
	upgrade := first.Scheme == "http" && to.URL.Scheme == "https" && first.Port() == "" && to.URL.Port() == ""
	same := strings.EqualFold(to.URL.Hostname(), first.Hostname()) && samePort && (to.URL.Scheme == first.Scheme || upgrade)
	if !same {
		return http.ErrUseLastResponse
	}
	if len(via) > fetchRedirects {
		return fmt.Errorf("it redirects more than %d times", fetchRedirects)
	}
	return nil
}
