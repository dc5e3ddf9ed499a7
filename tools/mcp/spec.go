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

// CallLimit is how long one call may take where nobody chose another limit.
const CallLimit = 60 * time.Second

// Spec is one server as somebody configured it, before variables are put in. It is
// a value that can be handed to another process.
type Spec struct {
	Name    string            `json:"name"`
	From    string            `json:"from"`              // the file that names it, for people
	Project bool              `json:"project,omitempty"` // the file is the folder's, not the user's
	Command []string          `json:"command,omitempty"` // a program and its arguments; or
	URL     string            `json:"url,omitempty"`     // the address of its streamable HTTP
	Env     map[string]string `json:"env,omitempty"`     // of the program, over the clean environment
	Headers map[string]string `json:"headers,omitempty"` // of each request
	Limit   time.Duration     `json:"limit,omitempty"`   // of one call that says nothing; 0: CallLimit
	Start   time.Duration     `json:"start,omitempty"`   // of a start; 0: the house's
	// Wrong says in one line why this cannot be used; it is never started then.
	Wrong string `json:"wrong,omitempty"`
}

var nameForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) })

// CheckName refuses a name that could not be part of a tool's.
func CheckName(name string) error {
	if !nameForm().MatchString(name) {
		return fmt.Errorf("%q cannot be a server's name: it has 1 to 64 letters, digits, _ or -", name)
	}
	return nil
}

// CheckURL refuses what is no address of a server.
func CheckURL(text string) error {
	at, err := url.Parse(text)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return fmt.Errorf("%q is not a web address: it must begin with https:// or http://", text)
	}
	return nil
}

// Brief is what would be started, or where it would be reached, as it is written:
// no variable is put in.
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

// Given lists the names of what the server is given beside that: variables of its
// environment, headers.
func (s Spec) Given() []string {
	return append(slices.Sorted(maps.Keys(s.Env)), slices.Sorted(maps.Keys(s.Headers))...)
}

// texts are all texts of the specification into which variables can be put.
func (s Spec) texts() []string {
	all := append(slices.Clone(s.Command), s.URL)
	all = slices.AppendSeq(all, maps.Values(s.Env))
	return slices.AppendSeq(all, maps.Values(s.Headers))
}

// limit is how long one call may take.
func (s Spec) limit() time.Duration {
	if s.Limit > 0 {
		return s.Limit
	}
	return CallLimit
}
