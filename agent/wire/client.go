package wire

import (
	"fmt"
	"net"
	"net/http"
	"time"
)

// headerLimit is how long a server may take to send its headers. How long a stream may be
// silent is the loop's decision.
const headerLimit = 60 * time.Second

// Client returns a client for asking models. It is the standard one, except that it gives up on
// a server that sends no headers, notices a connection that died while the machine slept, in
// both versions of HTTP, and follows no redirects, which would carry the key to another host.
func Client() *http.Client {
	client := &http.Client{CheckRedirect: func(to *http.Request, _ []*http.Request) error {
		return fmt.Errorf("the server redirects to %s: set that as the address if it is right", to.URL.Redacted())
	}}
	if standard, ok := http.DefaultTransport.(*http.Transport); ok {
		transport := standard.Clone()
		transport.ResponseHeaderTimeout = headerLimit
		transport.DialContext = (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 15 * time.Second}).DialContext
		transport.HTTP2 = &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second}
		client.Transport = transport
	}
	return client
}
