package permission

import (
	"errors"
	"net"
	"net/url"
	"strings"
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
	if strings.Contains(name, ":") {
		name = "[" + strings.Trim(name, "[]") + "]"
	}
	return hostPattern{strings.TrimSuffix(name, "."), below}, nil
}

// hasPort says whether there is more than a host; an address of many colons is one.
func hasPort(name string) bool {
	return strings.Contains(name, ":") && net.ParseIP(strings.Trim(name, "[]")) == nil
}

// wide takes a host to mean those below it too.
func (h hostPattern) wide(subject string) answer {
	host, ok := hostOf(subject)
	switch {
	case !ok:
		return maybe
	case h.name == "", host == h.name && !h.below, strings.HasSuffix(host, "."+h.name):
		return yes
	}
	return no
}

func (h hostPattern) narrow(subject string) bool {
	host, ok := hostOf(subject)
	switch {
	case !ok:
		return false
	case h.below:
		return strings.HasSuffix(host, "."+h.name)
	}
	return h.name == "" || host == h.name
}

func (h hostPattern) grants() error { return nil }

// hostOf is the host of an address, in small letters and without its last dot.
func hostOf(address string) (string, bool) {
	at, err := url.Parse(address)
	if err != nil || at.Hostname() == "" || at.User != nil {
		return "", false
	}
	host := strings.TrimSuffix(strings.ToLower(at.Hostname()), ".")
	if strings.HasPrefix(at.Host, "[") { // as a rule writes an address of IPv6
		return "[" + host + "]", true
	}
	return host, true
}
