package mcp

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
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

// Given lists the names of what else the server is given: environment variables and headers.
func (s Spec) Given() []string {
	return append(slices.Sorted(maps.Keys(s.Env)), slices.Sorted(maps.Keys(s.Headers))...)
}

// texts returns all texts in which variables are expanded.
func (s Spec) texts() []string {
	all := append(slices.Clone(s.Command), s.URL)
	all = slices.AppendSeq(all, maps.Values(s.Env))
	return slices.AppendSeq(all, maps.Values(s.Headers))
}

func (s Spec) limit() time.Duration {
	if s.Limit > 0 {
		return s.Limit
	}
	return CallLimit
}
