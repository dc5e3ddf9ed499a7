package mcp

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"pawl/tools/mcp/oauth"
)

// CallLimit is how long one call may be silent if no other limit is set.
const CallLimit = 60 * time.Second

// Spec is the configuration of one server, before variables are expanded. It can be sent to
// another process.
type Spec struct {
	Name    string            `json:"name"`
	From    string            `json:"from"`              // the file that configures it, for people
	Project bool              `json:"project,omitempty"` // that file is the folder's, not the user's
	Command []string          `json:"command,omitempty"` // a program and its arguments; or
	URL     string            `json:"url,omitempty"`     // an address that speaks streamable HTTP
	Env     map[string]string `json:"env,omitempty"`     // the program's, added to the clean environment
	Headers map[string]string `json:"headers,omitempty"` // sent with each request
	Limit   time.Duration     `json:"limit,omitempty"`   // for a silent call; 0: CallLimit
	Start   time.Duration     `json:"start,omitempty"`   // for a start; 0: Options.StartLimit
	// What a login needs where the server does not let Pawl register itself: see oauth.Request.
	ClientID     string   `json:"client_id,omitempty"`
	ClientSecret string   `json:"client_secret,omitempty"`
	Scopes       []string `json:"scopes,omitempty"`
	Port         int      `json:"port,omitempty"`
	// Wrong says in one line why this cannot be used; such a server is never started.
	Wrong string `json:"wrong,omitempty"`
}

var nameForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) })

// CheckName refuses a name that cannot be part of a tool's name.
func CheckName(name string) error {
	if !nameForm().MatchString(name) {
		return fmt.Errorf("%q cannot be a server's name: it has 1 to 64 letters, digits, _ or -", name)
	}
	return nil
}

// CheckURL refuses anything but an http or https address.
func CheckURL(text string) error {
	at, err := url.Parse(text)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return fmt.Errorf("%q is not a web address: it must begin with https:// or http://", text)
	}
	return nil
}

// Brief is what would be started, or the address, without expanding variables.
func (s Spec) Brief() string {
	if len(s.Command) == 0 {
		return s.URL
	}
	words := make([]string, len(s.Command))
	for i, word := range s.Command {
		words[i] = word
		if word == "" || strings.ContainsAny(word, " \t\n\"'\\") {
			words[i] = fmt.Sprintf("%q", word)
		}
	}
	return strings.Join(words, " ")
}

// Place is a server's program or address without the parts that may hold a key: arguments and the
// query.
func (s Spec) Place() string {
	if len(s.Command) > 0 {
		return s.Command[0]
	}
	if at, err := url.Parse(s.URL); err == nil && at.Host != "" {
		return at.Scheme + "://" + at.Host + at.Path
	}
	return "no address"
}

// Given lists the names of what else the server is given: environment variables and headers.
func (s Spec) Given() []string {
	return append(slices.Sorted(maps.Keys(s.Env)), slices.Sorted(maps.Keys(s.Headers))...)
}

// texts returns all texts in which variables are expanded.
func (s Spec) texts() []string {
	all := append(slices.Clone(s.Command), s.URL, s.ClientID, s.ClientSecret)
	all = slices.AppendSeq(all, maps.Values(s.Env))
	return slices.AppendSeq(all, maps.Values(s.Headers))
}

func (s Spec) limit() time.Duration {
	if s.Limit > 0 {
		return s.Limit
	}
	return CallLimit
}

// Request is what a login to the server needs, with its variables expanded from an environment,
// as in a session. The error says why there can be no login.
func (s Spec) Request(environ, withheld []string) (oauth.Request, error) {
	switch {
	case s.Wrong != "":
		return oauth.Request{}, fmt.Errorf("%s cannot be used: %s", s.Name, s.Wrong)
	case len(s.Command) > 0:
		return oauth.Request{}, fmt.Errorf("%s is a program, which is not logged in to: what it needs stands in its env", s.Name)
	}
	s, err := s.expanded(newEnvironment(environ, withheld))
	if err != nil {
		return oauth.Request{}, fmt.Errorf("%s: %w", s.Name, err)
	}
	if ownToken(s.Headers) {
		return oauth.Request{}, fmt.Errorf("%s has an Authorization header in %s: remove it to log in", s.Name, s.From)
	}
	return oauth.Request{
		Server: s.Name, URL: s.URL, Headers: s.Headers, ClientID: s.ClientID, ClientSecret: s.ClientSecret, Scopes: s.Scopes, Port: s.Port,
	}, nil
}

// ownToken reports whether headers say by themselves who asks.
func ownToken(headers map[string]string) bool {
	for name := range headers {
		if http.CanonicalHeaderKey(name) == "Authorization" {
			return true
		}
	}
	return false
}
