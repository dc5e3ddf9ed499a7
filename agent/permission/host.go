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

// hostPattern is a host of the web: go.dev, *.go.dev for those below it, or * for
// all.
type hostPattern struct {
	name  string // in small letters; empty: any
	below bool   // those below it alone
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

// plainHost writes a host in the one way in which it is compared: a name as DNS has it,
// an address as short as can be, and one of IPv4 as such.
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

// hasPort says whether there is more than a host; an address of many colons is one.
func hasPort(name string) bool {
	return strings.Contains(name, ":") && net.ParseIP(strings.Trim(name, "[]")) == nil
}

// mightMatch takes a host to mean those below it too.
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

// hostOf is the host of an address, in small letters and without its last dot.
func hostOf(address string) (string, bool) {
	at, err := url.Parse(address)
	if err != nil || at.Hostname() == "" || at.User != nil {
		return "", false
	}
	return plainHost(at.Hostname()), true
}
