package main

import (
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/adrg/xdg"
)

// screen says what to do on the other machines, and what to know.
func screen(o options, who identity, port int, names []string) string {
	var b strings.Builder
	line := func(format string, values ...any) { fmt.Fprintf(&b, format+"\n", values...) }
	if o.host != "" {
		names = []string{o.host}
	}
	url := address(o, names[0], port)
	line("pawl-server listens at %s. What it keeps is in %s.", net.JoinHostPort(o.host, fmt.Sprint(port)), short(o.folder))
	if o.loopback() {
		flag := "--listen"
		if o.child {
			flag = "--serve"
		}
		line("Only this machine reaches it. For others: %s :%d", flag, port)
		line("")
		line("A worker here:  pawl worker --nats %s --creds %s", url, short(who.creds))
		line("Pawl here:      export PAWL_REMOTE_NATS=%s PAWL_REMOTE_CREDS=%s", url, who.creds)
		return b.String()
	}
	line("")
	line("On each other machine, once:")
	from := names[0]
	if strings.Contains(from, ":") { // an IPv6 address
		from = "'[" + from + "]'"
	}
	line("  mkdir -p ~/.config/pawl; scp %s:%s ~/.config/pawl/", from, remoteCopy(who.creds))
	line("To have it work for others, there:")
	line("  pawl worker --nats %s", url)
	line("To use the workers from it, in ~/.config/pawl/config.toml there:")
	line("  [remote]")
	line("  nats = %q", url)
	line("")
	if len(names) > 1 {
		line("If %s is not found from there, write an address that reaches this machine: %s.", names[0], strings.Join(names[1:], ", "))
	}
	line("Who has %s may run programs on all these machines: keep it as you keep a key.", short(who.creds))
	line("The firewall must let TCP port %d in. Ctrl+C ends the server.", port)
	return b.String()
}

// hostNames are the machine's name, and the addresses by which others may reach it.
func hostNames() []string {
	name, err := os.Hostname()
	if err != nil {
		name = "localhost"
	}
	names := []string{name}
	found, _ := net.InterfaceAddrs() // then there is the name alone
	for _, one := range found {
		if ip, is := one.(*net.IPNet); is && ip.IP.IsGlobalUnicast() {
			names = append(names, ip.IP.String())
		}
	}
	const most = 4 // of an address that is shown
	return names[:min(len(names), most)]
}

// remoteCopy is a path as scp of another machine names it.
func remoteCopy(path string) string { return strings.TrimPrefix(short(path), "~/") }

// short is a path with ~ for the home folder, as shells read it.
func short(path string) string {
	if rest, below := strings.CutPrefix(path, xdg.Home+"/"); below && xdg.Home != "/" {
		return "~/" + rest
	}
	return path
}
