package tools

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// special are addresses that are no public host's although netip calls them
// global: IANA's special-purpose registries (RFC 6890) beside what netip knows by
// name. Those that hold another address in them are here too, for it may be any.
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),       // this network
	netip.MustParsePrefix("100.64.0.0/10"),   // shared by a provider's customers
	netip.MustParsePrefix("192.0.0.0/24"),    // protocol assignments
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation, and the two below
	netip.MustParsePrefix("198.51.100.0/24"), //
	netip.MustParsePrefix("203.0.113.0/24"),  //
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarks
	netip.MustParsePrefix("240.0.0.0/4"),     // reserved, broadcast
	netip.MustParsePrefix("64:ff9b::/96"),    // IPv4 in IPv6, and the three below
	netip.MustParsePrefix("64:ff9b:1::/48"),  //
	netip.MustParsePrefix("2001::/23"),       //
	netip.MustParsePrefix("2002::/16"),       //
	netip.MustParsePrefix("100::/64"),        // discard
	netip.MustParsePrefix("2001:db8::/32"),   // documentation
	netip.MustParsePrefix("fec0::/10"),       // site-local, of old
}

// public says whether an address is one of the open internet: nothing of this
// machine, of its network or of a cloud's inside.
func public(addr netip.Addr) bool {
	addr = addr.Unmap()
	if !addr.IsGlobalUnicast() || addr.IsPrivate() || addr.Zone() != "" {
		return false
	}
	return !slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(addr) })
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
			return a, fmt.Errorf("%q is no host name, address or range of addresses: write localhost, .corp.example, 192.168.1.7 or 10.0.0.0/8", item)
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
