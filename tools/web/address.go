package web

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// special are addresses that are no public host's although netip calls them
// global: IANA's special-purpose registries (RFC 6890) beside what netip knows by
// name. Those that hold another address in them are here too, for it may be any.
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),        // this network
	netip.MustParsePrefix("100.64.0.0/10"),    // shared by a provider's customers
	netip.MustParsePrefix("192.0.0.0/24"),     // protocol assignments
	netip.MustParsePrefix("192.0.2.0/24"),     // documentation, and the two below
	netip.MustParsePrefix("198.51.100.0/24"),  //
	netip.MustParsePrefix("203.0.113.0/24"),   //
	netip.MustParsePrefix("198.18.0.0/15"),    // benchmarks
	netip.MustParsePrefix("240.0.0.0/4"),      // reserved, broadcast
	netip.MustParsePrefix("192.88.99.0/24"),   // the way into 2002::/16, of old
	netip.MustParsePrefix("168.63.129.16/32"), // Azure's inside, although it looks public
	netip.MustParsePrefix("2001::/23"),        // IPv4 in IPv6, and the one below
	netip.MustParsePrefix("2002::/16"),        //
	netip.MustParsePrefix("2001:db8::/32"),    // documentation, and the one below
	netip.MustParsePrefix("3fff::/20"),        //
}

// openIPv6 is all that IANA has given out of IPv6 for hosts of the open internet:
// outside of it are, among others, the IPv4 addresses in IPv6 (::/96, ::ffff:0:0:0/96,
// 64:ff9b::/96) and what is never sent on (100::/64, fec0::/10, 5f00::/16).
var openIPv6 = netip.MustParsePrefix("2000::/3")

// public says whether an address is one of the open internet: nothing of this
// machine, of its network or of a cloud's inside.
func public(addr netip.Addr) bool {
	addr = addr.Unmap()
	if !addr.IsGlobalUnicast() || addr.IsPrivate() || addr.Zone() != "" || addr.Is6() && !openIPv6.Contains(addr) {
		return false
	}
	return !slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// hostName is a host as it is looked up: in small letters, and of other alphabets as
// DNS has them, so that a digit is a digit in whatever width. One that ends in a
// number and is no address as netip reads it is some reader's address all the same:
// 2130706433, 0x7f.1 and 127.1 are this machine.
func hostName(host string) (string, error) {
	if _, err := netip.ParseAddr(host); err == nil {
		return strings.ToLower(host), nil
	}
	name, err := idna.Lookup.ToASCII(strings.TrimSuffix(host, "."))
	if err != nil && isASCII(host) { // a name of an inside net with a _ in it
		name, err = strings.ToLower(host), nil
	}
	if err != nil {
		return "", fmt.Errorf("%q is not a host: write its name in plain letters", host)
	}
	if _, err := netip.ParseAddr(name); err == nil {
		return name, nil
	}
	last := name[strings.LastIndexByte(strings.TrimSuffix(name, "."), '.')+1:]
	if _, err := strconv.ParseUint(strings.TrimSuffix(last, "."), 0, 64); err == nil || strings.Trim(last, "0123456789.") == "" {
		return "", fmt.Errorf("%q is not a host: write an address in four numbers, like 93.184.216.34", host)
	}
	return name, nil
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
}

// allowance is what a person lets fetch reach beside the open internet.
type allowance struct {
	hosts    []string // names, in small letters; one with a dot in front stands for all below it
	prefixes []netip.Prefix
}

// parseAllowance reads names (intranet.example, .corp.example), addresses and
// prefixes (10.0.0.0/8). The error names the one that is none of them.
func parseAllowance(list []string) (allowance, error) {
	var a allowance
	for _, item := range list {
		item = strings.ToLower(strings.TrimSpace(item))
		if prefix, err := netip.ParsePrefix(item); err == nil {
			a.prefixes = append(a.prefixes, prefix.Masked())
			continue
		}
		if addr, err := netip.ParseAddr(strings.Trim(item, "[]")); err == nil {
			a.prefixes = append(a.prefixes, netip.PrefixFrom(addr.Unmap(), addr.Unmap().BitLen()))
			continue
		}
		if item == "" || strings.ContainsAny(item, "/:*@ ") {
			return a, fmt.Errorf("%q is not a host name, an address or a range of addresses: write localhost, .corp.example, 192.168.1.7 or 10.0.0.0/8", item)
		}
		a.hosts = append(a.hosts, strings.TrimSuffix(item, "."))
	}
	return a, nil
}

// host says whether a name was allowed, whatever address it has.
func (a allowance) host(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	return slices.ContainsFunc(a.hosts, func(allowed string) bool {
		return name == allowed || strings.HasPrefix(allowed, ".") && strings.HasSuffix(name, allowed)
	})
}

// addr says whether a connection to this address may be made.
func (a allowance) addr(addr netip.Addr) bool {
	addr = addr.Unmap()
	return public(addr) || slices.ContainsFunc(a.prefixes, func(p netip.Prefix) bool { return p.Contains(addr) })
}
