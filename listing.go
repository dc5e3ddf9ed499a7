package main

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

// listing is what one server said when it was asked for its models.
type listing struct {
	maker  maker
	offers []agent.Offer
	err    error
	limit  time.Duration
}

// servers are the providers whose variable is set, each server once: openai and
// openai-chat are two ways of asking one. The one in use stands for both; else an
// address of one's own is more likely to know the chat.
func (m *models) servers(inUse string) []maker {
	used, _ := agent.SplitModel(inUse)
	skipped := "openai-chat"
	if used == "openai-chat" || used != "openai" && m.env("OPENAI_BASE_URL") != "" {
		skipped = "openai"
	}
	var set []maker
	for _, maker := range makers() {
		if m.env(maker.variable) != "" && maker.name != skipped {
			set = append(set, maker)
		}
	}
	return set
}

// list asks servers for their models, side by side. None takes longer than the
// limit.
func (m *models) list(ctx context.Context, asked []maker, limit time.Duration) []listing {
	all := make([]listing, len(asked))
	var waiting sync.WaitGroup
	for i, maker := range asked {
		waiting.Go(func() {
			ctx, stop := context.WithTimeout(ctx, limit)
			defer stop()
			offers, err := maker.make(m).Models(ctx)
			all[i] = listing{maker, offers, err, limit}
		})
	}
	waiting.Wait()
	return all
}

// has says whether a model is among those that are listed, under its name or as what
// that name stands for: a snapshot of it, or Ollama's newest.
func (l listing) has(name string) bool {
	return slices.ContainsFunc(l.offers, func(o agent.Offer) bool {
		return o.Name == name || strings.HasPrefix(o.Name, name+"-") || o.Name == name+":latest"
	})
}

// refused says that the server did not take the key.
func (l listing) refused() bool {
	var failed *agent.ProviderError
	return errors.As(l.err, &failed) && failed.Kind == lifecycle.FailAuth
}

// reached says that a server answered, if only with a no. Some list no models and
// answer all the same.
func (l listing) reached() bool {
	var failed *agent.ProviderError
	return l.err == nil || errors.As(l.err, &failed) && failed.Status != 0
}

// says is what went wrong, in one line.
func (l listing) says() string {
	var failed *agent.ProviderError
	switch {
	case errors.Is(l.err, context.DeadlineExceeded):
		return fmt.Sprintf("no answer within %s", l.limit)
	case l.refused():
		return "the key was refused: " + l.err.Error()
	case errors.As(l.err, &failed) && (failed.Status == http.StatusNotFound || failed.Status == http.StatusMethodNotAllowed):
		return fmt.Sprintf("it lists no models (HTTP %d)", failed.Status)
	}
	return l.err.Error()
}

// do is what a person can do about it.
func (l listing) do() string {
	switch {
	case l.refused() && l.maker.secret:
		return fmt.Sprintf("set %s to a valid key, or unset it", l.maker.variable)
	case l.reached() && !l.refused():
		return fmt.Sprintf("name a model with --model %s/NAME; if that fails too, look at %s", l.maker.name, l.maker.address)
	}
	return fmt.Sprintf("check the network and %s", l.maker.address)
}
