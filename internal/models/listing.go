package models

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"pawl/agent"
	"pawl/lifecycle"
)

// Listing is what one server answered when asked for its models.
type Listing struct {
	Provider Provider
	Offers   []agent.ModelListing
	Err      error
	limit    time.Duration
}

// Servers returns the providers that can be asked, each server once: openai and openai-chat are
// two APIs of one server, unless the settings tell them apart. The one in use stands for both;
// otherwise a server with its own address more likely knows the chat API.
func (m *Set) Servers(inUse string) []Provider {
	var set []Provider
	for _, p := range m.providers {
		if m.Lacks(p) == "" {
			set = append(set, p)
		}
	}
	if !m.twins() {
		return set
	}
	used, _ := agent.SplitModel(inUse)
	skipped := "openai-chat"
	if used == "openai-chat" || used != "openai" && m.Env("OPENAI_BASE_URL") != "" {
		skipped = "openai"
	}
	return slices.DeleteFunc(set, func(p Provider) bool { return p.Name == skipped })
}

// Try asks a server for its models with a key that is not kept yet.
func (m *Set) Try(ctx context.Context, p Provider, key string, limit time.Duration) Listing {
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	k := &keyed{set: m, of: p}
	s, err := k.connected(key)
	if err != nil {
		return Listing{Provider: p, Err: err, limit: limit}
	}
	offers, err := s.Models(ctx)
	return Listing{p, offers, err, limit}
}

// twins reports whether openai and openai-chat are one server with one key.
func (m *Set) twins() bool {
	one, _ := m.Provider("openai")
	two, _ := m.Provider("openai-chat")
	return m.Lacks(one) == "" && m.Lacks(two) == "" && one.said.BaseURL == two.said.BaseURL && m.KeyFrom(one) == m.KeyFrom(two) &&
		len(one.said.KeyCommand)+len(two.said.KeyCommand) == 0
}

// List asks servers for their models, in parallel. None may take longer than limit.
func (m *Set) List(ctx context.Context, asked []Provider, limit time.Duration) []Listing {
	all := make([]Listing, len(asked))
	var waiting sync.WaitGroup
	for i, p := range asked {
		waiting.Go(func() {
			ctx, stop := context.WithTimeout(ctx, limit)
			defer stop()
			offers, err := (&keyed{set: m, of: p}).Models(ctx)
			all[i] = Listing{p, offers, err, limit}
		})
	}
	waiting.Wait()
	return all
}

// Has reports whether a model is listed, under its name or as what that name stands for: a
// snapshot of it, or Ollama's newest.
func (l Listing) Has(name string) bool {
	return slices.ContainsFunc(l.Offers, func(o agent.ModelListing) bool {
		return o.Name == name || strings.HasPrefix(o.Name, name+"-") || o.Name == name+":latest"
	})
}

// Refused reports that the server did not accept the key.
func (l Listing) Refused() bool {
	var failed *agent.ProviderError
	return errors.As(l.Err, &failed) && failed.Kind == lifecycle.FailAuth
}

// Reached reports that the server answered, even if with an error: some that work do not list
// models.
func (l Listing) Reached() bool {
	var failed *agent.ProviderError
	return l.Err == nil || errors.As(l.Err, &failed) && failed.Status != 0
}

// Keyless reports that no key could be had, so that the server was not asked.
func (l Listing) Keyless() bool {
	var failure *lifecycle.Failure
	return errors.As(l.Err, &failure)
}

// Says describes what went wrong, in one line.
func (l Listing) Says() string {
	var failed *agent.ProviderError
	switch {
	case errors.Is(l.Err, context.DeadlineExceeded):
		return fmt.Sprintf("no answer within %s", l.limit)
	case l.Refused():
		return "the key was refused: " + l.Err.Error()
	case errors.As(l.Err, &failed) && (failed.Status == http.StatusNotFound || failed.Status == http.StatusMethodNotAllowed):
		return fmt.Sprintf("it lists no models (HTTP %d)", failed.Status)
	}
	return l.Err.Error()
}

// Do says what a person can do about it.
func (l Listing) Do() string {
	p := l.Provider
	switch {
	case l.Keyless():
		return "pawl doctor shows where its key should come from"
	case l.Refused() && p.BuiltIn && p.Secret && p.Variable != "":
		return fmt.Sprintf("set %s to a valid key, or unset it and run pawl login %s", p.Variable, p.Name)
	case l.Refused():
		return "give it a valid key"
	case l.Reached():
		return fmt.Sprintf("name a model with --model %s/NAME; if that fails too, look at %s", p.Name, p.addressName())
	}
	return "check the network and " + p.addressName()
}

// addressName is where its address is set.
func (p Provider) addressName() string {
	if p.said.BaseURL != "" || p.Address == "" {
		return "base_url of providers." + p.Name
	}
	return p.Address
}
