package permission

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// hostPattern is a host: go.dev, *.go.dev for its subdomains, or * for all.
type hostPattern struct {
	name  string // in lower case; empty: any
	below bool   // subdomains only
}

func parseHost(text string) (matcher, error) {
	if text == "*" {
		return hostPattern{}, nil
	}
	name, ok := strings.CutPrefix(text, "host:")
	if !ok {
		return nil, errors.New("a fetch rule names a host: write fetch(host:go.dev)")
	}
	name = strings.ToLower(strings.TrimSpace(name))
	if name == "*" {
		return hostPattern{}, nil
	}
	name, below := strings.CutPrefix(name, "*.")
	if name == "" || strings.ContainsAny(name, "*/@?#% ") || strings.HasPrefix(name, ".") || hasPort(name) {
		return nil, errors.New("it can never match: write a host alone, such as go.dev, or *.go.dev for those below it")
	}
	if name = plainHost(name); strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		return nil, errors.New("it can never match: that is not the name of a host")
	}
	return hostPattern{name, below}, nil
}

// plainHost normalises a host for comparison: a name in its DNS form, an address in its
// shortest form, IPv4-mapped ones as IPv4.
func plainHost(name string) string {
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	if addr, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil {
		if addr = addr.Unmap(); addr.Is6() {
			return "[" + addr.String() + "]"
		}
		return addr.String()
	}
	if ascii, err := idna.Lookup.ToASCII(name); err == nil {
		return ascii
	}
	return name
}

// hasPort reports whether more than a host is given; an IPv6 address has colons of its own.
func hasPort(name string) bool {
	return strings.Contains(name, ":") && net.ParseIP(strings.Trim(name, "[]")) == nil
}

// mightMatch includes the subdomains of a host.
func (h hostPattern) mightMatch(subject string) answer {
	host, ok := hostOf(subject)
	switch {
	case !ok:
		return maybe
	case h.name == "", host == h.name && !h.below, strings.HasSuffix(host, "."+h.name):
		return yes
	}
	return no
}

func (h hostPattern) plainlyMatches(subject string) bool {
	host, ok := hostOf(subject)
	switch {
	case !ok:
		return false
	case h.below:
		return strings.HasSuffix(host, "."+h.name)
	}
	return h.name == "" || host == h.name
}

func (h hostPattern) neverAllows() error { return nil }

// hostOf is the normalised host of a URL.
func hostOf(address string) (string, bool) {
	at, err := url.Parse(address)
	if err != nil || at.Hostname() == "" || at.User != nil {
		return "", false
	}
	return plainHost(at.Hostname()), true
}
