package settings

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Server is an MCP server: a program to start, or a URL.
type Server struct {
	Command []string          `toml:"command"` // a program and its arguments; or
	URL     string            `toml:"url"`     // where it serves streamable HTTP
	Env     map[string]string `toml:"env"`     // of the program
	Headers map[string]string `toml:"headers"` // of each request
	Timeout Duration          `toml:"timeout"` // of one call without progress; 0: the default
	// StartTimeout is how long its start may take; 0: the default.
	StartTimeout Duration `toml:"start_timeout"`
	Enabled      *bool    `toml:"enabled"` // nil: true
	// What a login needs where the server does not let Pawl register itself.
	ClientID     string   `toml:"client_id"`
	ClientSecret string   `toml:"client_secret"`
	Scopes       []string `toml:"scopes"`        // nil: what the server names
	CallbackPort int      `toml:"callback_port"` // on this machine; 0: any
}

// On reports whether it is to be started.
func (s Server) On() bool { return s.Enabled == nil || *s.Enabled }

// serverKeys are the keys of a server.
var serverKeys = []string{"command", "url", "env", "headers", "timeout", "start_timeout", "enabled", "client_id", "client_secret", "scopes", "callback_port"}

// serverName matches names that can be part of a tool's name, which is all that models see
// of a server.
var serverName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) })

// serverSettings are the names that an unknown key of a server may have been meant for.
func serverSettings(key []string) []string {
	all := []string{"mcp"}
	for _, known := range serverKeys {
		all = append(all, strings.Join([]string{"mcp", key[1], known}, "."))
	}
	return all
}

// check refuses a server that cannot be started or reached.
func (s Server) check(where, name string) error {
	wrong := func(format string, args ...any) error {
		return &Error{where, "mcp." + name + ": " + fmt.Sprintf(format, args...)}
	}
	at, err := url.Parse(s.URL)
	switch {
	case !serverName().MatchString(name):
		return &Error{where, fmt.Sprintf("mcp.%q: a server's name has 1 to 64 letters, digits, _ or -", name)}
	case len(s.Command) == 0 && s.URL == "":
		return wrong(`it has neither a command nor a url: write command = ["program", "argument"], or url = "https://…"`)
	case len(s.Command) > 0 && s.URL != "":
		return wrong("it has both a command and a url: remove one of them")
	case len(s.Command) > 0 && strings.TrimSpace(s.Command[0]) == "":
		return wrong("its command is blank")
	case s.URL != "" && !strings.HasPrefix(s.URL, "${") && (err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https"):
		return wrong("url %q is not a web address: it must begin with https:// or http://", s.URL)
	case len(s.Command) == 0 && len(s.Env) > 0:
		return wrong("env is for servers with a command: with a url, use headers")
	case s.URL == "" && len(s.Headers) > 0:
		return wrong("headers are for servers with a url: with a command, use env")
	case s.URL == "" && (s.ClientID != "" || s.ClientSecret != "" || s.Scopes != nil || s.CallbackPort != 0):
		return wrong("client_id, client_secret, scopes and callback_port are for logins to servers with a url")
	case s.ClientSecret != "" && s.ClientID == "":
		return wrong("client_secret belongs to a client_id, which is missing")
	case s.CallbackPort < 0 || s.CallbackPort > 65535:
		return wrong("callback_port %d: must be a port from 1 to 65535", s.CallbackPort)
	case s.Timeout.unitless() != nil:
		return wrong("timeout %s", s.Timeout.unitless())
	case s.Timeout < 0:
		return wrong("timeout %s: must be a duration such as 60s", time.Duration(s.Timeout))
	case s.StartTimeout.unitless() != nil:
		return wrong("start_timeout %s", s.StartTimeout.unitless())
	case s.StartTimeout < 0:
		return wrong("start_timeout %s: must be a duration such as 30s", time.Duration(s.StartTimeout))
	}
	return nil
}

// Check refuses a server that cannot be started or reached, in one line.
func (s Server) Check(name string) error {
	wrong := (*Error)(nil)
	if err := s.check("", name); errors.As(err, &wrong) {
		return errors.New(wrong.Message)
	}
	return nil
}
