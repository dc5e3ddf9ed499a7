package oauth

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// callbackPath is where the browser is sent to.
const callbackPath = "/callback"

// callback waits on this machine for the answer of an authorization server, which comes with the
// person's browser, or is pasted.
type callback struct {
	listener net.Listener
	server   *http.Server
	answers  chan brought
}

// brought is what a browser has brought, and whether it is the answer.
type brought struct {
	values url.Values
	right  chan bool
}

// closeLimit is how long the browser may take to read the last page.
const closeLimit = time.Second

// listen opens a port of this machine alone.
func listen(ctx context.Context, port int) (*callback, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("port %d of this machine cannot be used for the answer: %w", port, err)
	}
	c := &callback{listener: listener, answers: make(chan brought)}
	c.server = &http.Server{Handler: http.HandlerFunc(c.serve), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	go func() { _ = c.server.Serve(listener) }()
	return c, nil
}

func (c *callback) close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
	defer cancel()
	if c.server.Shutdown(ctx) != nil {
		_ = c.server.Close()
	}
}

func (c *callback) address() string { return "http://" + c.listener.Addr().String() + callbackPath }

// serve takes what a browser brings. Pages of other origins and other names of this machine get
// nothing: a browser that was sent here asks with neither.
func (c *callback) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	if r.Method != http.MethodGet || r.URL.Path != callbackPath || r.Host != c.listener.Addr().String() || r.Header.Get("Origin") != "" {
		http.Error(w, "This is not what Pawl waits for.", http.StatusNotFound)
		return
	}
	b := brought{r.URL.Query(), make(chan bool, 1)}
	select {
	case c.answers <- b:
	case <-r.Context().Done():
		return
	}
	if !<-b.right {
		http.Error(w, "This answer belongs to another login: Pawl still waits for its own.", http.StatusBadRequest)
		return
	}
	_, _ = io.WriteString(w, "Pawl has the answer. This page can be closed: go on in the terminal.\n")
}

// fetch shows the person where to log in and waits for an answer to that very question. Others are
// told and passed over, so that no page can end a login.
func (c *callback) fetch(ctx context.Context, at string, p Person) (*auth.AuthorizationResult, error) {
	asked, err := url.Parse(at)
	if err != nil || !Protected(at) {
		return nil, errors.New("the page for the login is not an address on https: " + plain(at))
	}
	state := asked.Query().Get("state")
	p.Show(at)
	pasted := p.Pasted
	for {
		answer, right := url.Values(nil), make(chan bool, 1)
		select {
		case b := <-c.answers:
			answer, right = b.values, b.right
		case line, open := <-pasted:
			if !open {
				pasted = nil
				continue
			}
			if answer, err = c.pasted(line); err != nil {
				p.Tell(err.Error())
				continue
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		same := subtle.ConstantTimeCompare([]byte(answer.Get("state")), []byte(state)) == 1
		right <- same
		if !same {
			p.Tell("an answer that belongs to another login was passed over (its state differs)")
			continue
		}
		return result(answer)
	}
}

// pasted reads the address to which a browser elsewhere was sent.
func (c *callback) pasted(line string) (url.Values, error) {
	line = strings.TrimSpace(line)
	if rest, ok := strings.CutPrefix(line, c.address()+"?"); ok {
		values, err := url.ParseQuery(rest)
		if err == nil {
			return values, nil
		}
	}
	return nil, fmt.Errorf("that is not the address of the answer, which begins with %s?", c.address())
}

func result(answer url.Values) (*auth.AuthorizationResult, error) {
	if wrong := answer.Get("error"); wrong != "" {
		return nil, errors.New("the authorization server says: " + plain(strings.TrimSuffix(wrong+": "+answer.Get("error_description"), ": ")))
	}
	if answer.Get("code") == "" {
		return nil, errors.New("the answer of the authorization server has no code")
	}
	return &auth.AuthorizationResult{Code: answer.Get("code"), State: answer.Get("state"), Iss: answer.Get("iss")}, nil
}
