package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// browse is a Web that may reach these places too.
func browse(t *testing.T, allowed ...string) *Client {
	t.Helper()
	web, err := New(allowed, "Pawl/test")
	require.NoError(t, err)
	t.Cleanup(web.Close)
	return web
}

// asked is what a page says, or why there is none.
func asked(t *testing.T, web *Client, address string) string {
	t.Helper()
	at, err := ParseAddress(address)
	require.NoError(t, err)
	page, err := web.Get(t.Context(), at)
	if err != nil {
		return err.Error()
	}
	return page.Text()
}

func TestNoAddressOfTheInsideIsPublic(t *testing.T) {
	for _, inside := range []string{
		"127.0.0.1", "127.9.9.9", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
		"192.0.0.8", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1", "::1", "::", "fe80::1", "fe80::1%eth0",
		"192.88.99.1", "168.63.129.16", "100.100.100.200", "192.0.0.192", "::7f00:1", "::10.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b:1::a00:1", "fd00:ec2::254",
		"2001:0:a00:1::", "3fff::1", "5f00::1", "1::1", "4000::1", "::ffff:169.254.169.254",
		"fc00::1", "fd12::1", "ff02::1", "fec0::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "2001:db8::1", "2001::1", "100::1",
	} {
		require.False(t, public(netip.MustParseAddr(inside)), inside)
	}
	for _, outside := range []string{"1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8"} {
		require.True(t, public(netip.MustParseAddr(outside)), outside)
	}
}

func TestAProxyIsAskedForNothingInside(t *testing.T) {
	seen := make(chan string, 1)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r.URL.String()
		fmt.Fprint(w, "by proxy")
	}))
	defer proxy.Close()
	web := browse(t)
	web.proxy = func(*http.Request) (*url.URL, error) { return url.Parse(proxy.URL) }
	require.Contains(t, asked(t, web, "http://127.0.0.1:1/x"), "is not on the open internet")
	require.Empty(t, seen)
	require.Contains(t, asked(t, web, "http://1.1.1.1/x"), "by proxy")
	require.Equal(t, "http://1.1.1.1/x", <-seen)
}

// A proxy reaches what this machine does not, the inside of its own network too: it is
// asked for no name that could not be looked up and checked, unless the user named it.
func TestAProxyIsAskedForNoNameThatCannotBeLookedUp(t *testing.T) {
	seen := make(chan string, 1)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r.URL.String()
		fmt.Fprint(w, "by proxy")
	}))
	defer proxy.Close()
	unknown := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("there is no DNS") }}
	for _, row := range []struct {
		allow, names string
		want         string
	}{
		{"", "", "cannot be looked up here"},
		{".example", "", "by proxy"},
		{"", "10.0.0.1", "is not on the open internet"},
		{"", "93.184.216.34", "by proxy"},
	} {
		web := browse(t)
		if row.allow != "" {
			web = browse(t, row.allow)
		}
		web.names = unknown
		if row.names != "" {
			web.names = fickle(t, row.names)
		}
		web.proxy = func(*http.Request) (*url.URL, error) { return url.Parse(proxy.URL) }
		require.Contains(t, asked(t, web, "http://meta.example/x"), row.want)
		if row.want != "by proxy" {
			require.Empty(t, seen)
			continue
		}
		require.Equal(t, "http://meta.example/x", <-seen)
	}
}

func TestWhatMayBeFetchedInsideIsNamedExactly(t *testing.T) {
	list, err := parseAllowance([]string{"LocalHost", ".corp.example", "10.0.0.0/8", "192.168.1.7", "[::1]"})
	require.NoError(t, err)
	require.True(t, list.host("localhost."))
	require.True(t, list.host("wiki.Corp.example"))
	require.False(t, list.host("corp.example.evil.com"))
	require.False(t, list.host("notlocalhost"))
	require.True(t, list.addr(netip.MustParseAddr("10.9.9.9")))
	require.True(t, list.addr(netip.MustParseAddr("192.168.1.7")))
	require.True(t, list.addr(netip.MustParseAddr("::1")))
	require.False(t, list.addr(netip.MustParseAddr("192.168.1.8")))
	for _, wrong := range []string{"", "http://x", "a:80", "*.corp", "10.0.0.0/99"} {
		_, err := parseAllowance([]string{wrong})
		require.ErrorContains(t, err, "is not a host name, an address or a range", wrong)
	}
}
