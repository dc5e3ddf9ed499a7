package oauth

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"
)

// mostRedirects is how often a request for public facts may be sent elsewhere.
const mostRedirects = 5

// errRedirected refuses to send anything secret, or anybody, to another place than was asked.
var errRedirected = errors.New("it sends the request elsewhere")

// newClient returns a client for a login to a server. What a server on the internet names may not
// lead it into the network that it stands in: the SDK checks that where the transport has no
// dialer of its own. A server that is in that network may name others there.
func newClient(server string) *http.Client {
	client := &http.Client{Timeout: askLimit, CheckRedirect: checkRedirect}
	standard, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return client
	}
	transport := standard.Clone()
	if !inPrivate(server) {
		transport.DialContext = nil
	}
	client.Transport = transport
	return client
}

// checkRedirect follows requests for public facts alone, and none to a less protected place.
func checkRedirect(to *http.Request, via []*http.Request) error {
	from := via[len(via)-1]
	switch {
	case via[0].Method != http.MethodGet, len(via) > mostRedirects,
		from.URL.Scheme == "https" && to.URL.Scheme != "https",
		loopback(to.URL.Hostname()) && !loopback(from.URL.Hostname()):
		return fmt.Errorf("%w: to %s", errRedirected, to.URL.Redacted())
	}
	return nil
}

// inPrivate reports whether an address is of a private network.
func inPrivate(address string) bool {
	at, err := url.Parse(address)
	if err != nil || at.Hostname() == "" {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	all, err := net.DefaultResolver.LookupNetIP(ctx, "ip", at.Hostname())
	if err != nil {
		return false
	}
	for _, ip := range all {
		if ip = ip.Unmap(); ip.IsPrivate() || ip.IsLinkLocalUnicast() {
			return true
		}
	}
	return false
}

func loopback(name string) bool {
	ip, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// Protected reports whether tokens may be sent to an address: over https, or to this machine.
func Protected(address string) bool {
	at, err := url.Parse(address)
	return err == nil && at.Host != "" && (at.Scheme == "https" || at.Scheme == "http" && loopback(at.Hostname()))
}

// host is the place of an address, for people.
func host(address string) string {
	if at, err := url.Parse(address); err == nil && at.Host != "" {
		return at.Host
	}
	return "the authorization server"
}
