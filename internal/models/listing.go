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
	Maker  Maker
	Offers []agent.ModelListing
	Err    error
	limit  time.Duration
}

// Servers returns the providers whose variable is set, each server once: openai and openai-chat
// are two APIs of one server. The one in use stands for both; otherwise a server with its own
// address more likely knows the chat API.
func (m *Set) Servers(inUse string) []Maker {
	used, _ := agent.SplitModel(inUse)
	skipped := "openai-chat"
	if used == "openai-chat" || used != "openai" && m.Env("OPENAI_BASE_URL") != "" {
		skipped = "openai"
	}
	var set []Maker
	for _, maker := range Makers() {
		if m.Env(maker.Variable) != "" && maker.Name != skipped {
			set = append(set, maker)
		}
	}
	return set
}

// List asks servers for their models, in parallel. None may take longer than limit.
func (m *Set) List(ctx context.Context, asked []Maker, limit time.Duration) []Listing {
	all := make([]Listing, len(asked))
	var waiting sync.WaitGroup
	for i, maker := range asked {
		waiting.Go(func() {
			ctx, stop := context.WithTimeout(ctx, limit)
			defer stop()
			offers, err := maker.make(m).Models(ctx)
			all[i] = Listing{maker, offers, err, limit}
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
	switch {
	case l.Refused() && l.Maker.Secret:
		return fmt.Sprintf("set %s to a valid key, or unset it", l.Maker.Variable)
	case l.Reached() && !l.Refused():
		return fmt.Sprintf("name a model with --model %s/NAME; if that fails too, look at %s", l.Maker.Name, l.Maker.Address)
	}
	return fmt.Sprintf("check the network and %s", l.Maker.Address)
}
