package web

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"
)

// fickle answers every question about an IPv4 address with the next of a list, and
// stays with the last.
func fickle(t *testing.T, addresses ...string) *net.Resolver {
	t.Helper()
	var config net.ListenConfig
	server, err := config.ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { server.Close() })
	var asked atomic.Int64
	go func() {
		buffer := make([]byte, 512)
		for {
			n, from, err := server.ReadFrom(buffer)
			var m dnsmessage.Message
			if err != nil || m.Unpack(buffer[:n]) != nil {
				return
			}
			m.Response, m.Additionals = true, nil
			if question := m.Questions[0]; question.Type == dnsmessage.TypeA {
				next := addresses[min(int(asked.Add(1)), len(addresses))-1]
				m.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: question.Name, Type: question.Type, Class: question.Class},
					Body:   &dnsmessage.AResource{A: [4]byte(net.ParseIP(next).To4())},
				}}
			}
			if packed, err := m.Pack(); err == nil {
				_, _ = server.WriteTo(packed, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

// The address that is connected to is the one that is checked: a name that is public
// for one question and inside for the next leads nowhere, nor does one that is inside
// at once.
func TestANameThatTurnsInsideIsNotConnectedTo(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was reached") }))
	defer server.Close()
	port := strings.TrimPrefix(server.URL, "http://127.0.0.1")
	web := browse(t)
	web.names = fickle(t, "93.184.216.34", "127.0.0.1")
	_, err := web.names.LookupNetIP(t.Context(), "ip4", "turning.example") // who looked before connecting heard this
	require.NoError(t, err)
	for _, host := range []string{"turning.example", "turning.example."} {
		require.Contains(t, asked(t, web, "http://"+host+port), "is not on the open internet")
	}
}

// What some reader takes for an address of this machine is no host, or that address:
// a proxy would read it so, and nobody is asked about it.
func TestAnAddressInDisguiseIsNone(t *testing.T) {
	refused := func(host string) error {
		at, err := ParseAddress("http://" + host + "/")
		if err == nil {
			err = browse(t).Refuses(at)
		}
		return err
	}
	for _, host := range []string{"2130706433", "0x7f000001", "0x7f.1", "127.1", "017700000001", "0177.0.0.1", "127.0.0.01", "1.2.3.4.5", "foo.0x7f", "foo.09", "127.1."} {
		require.ErrorContains(t, refused(host), "four numbers", host)
	}
	for _, host := range []string{"１２７.0.0.1", "127。0。0。1", "①27.0.0.1", "127.0.0.1.", "[::ffff:7f00:1]", "[::7f00:1]", "[0:0:0:0:0:0:0:1]", "LocalHost.", "ｌocalhost"} {
		require.Error(t, refused(host), host)
	}
	for host, want := range map[string]string{"münchen.example": "xn--mnchen-3ya.example", "GO.dev": "go.dev", "a_b.example": "a_b.example", "1.1.1.1": "1.1.1.1", "7up.example": "7up.example"} {
		at, err := ParseAddress("http://" + host + ":8080/x")
		require.NoError(t, err)
		require.Equal(t, want+":8080", at.Host)
	}
	at, err := ParseAddress("http://[2606:4700::1111]/x")
	require.NoError(t, err)
	require.Equal(t, "[2606:4700::1111]", at.Host)
}
