package trust

import (
	"context"
	"sync"
)

// Facts is where answers are remembered.
type Facts interface {
	Fact(ctx context.Context, name string) (string, error) // empty if not set
	SetFact(ctx context.Context, name, value string) error
}

// Answers are facts that hold until Pawl ends, even where they cannot be stored. The zero value
// has none. They may be used from any goroutine.
type Answers struct {
	mu   sync.Mutex
	said map[string]string
}

// overlay looks facts up among the answers of this process first.
type overlay struct {
	Facts
	answers *Answers
}

// NewFacts returns the facts of a database, which may be nil, behind the answers of this process,
// which may be nil too.
func NewFacts(database Facts, said *Answers) Facts {
	switch {
	case database == nil:
		return noFacts{}
	case said == nil:
		return database
	}
	return overlay{database, said}
}

// Fact implements Facts.
func (h overlay) Fact(ctx context.Context, name string) (string, error) {
	h.answers.mu.Lock()
	value, said := h.answers.said[name]
	h.answers.mu.Unlock()
	if said {
		return value, nil
	}
	return h.Facts.Fact(ctx, name)
}

// SetFact implements Facts.
func (h overlay) SetFact(ctx context.Context, name, value string) error {
	h.answers.mu.Lock()
	if h.answers.said == nil {
		h.answers.said = map[string]string{}
	}
	h.answers.said[name] = value
	h.answers.mu.Unlock()
	return h.Facts.SetFact(ctx, name, value)
}

// noFacts has no answers: there is no database.
type noFacts struct{}

// Fact implements Facts.
func (noFacts) Fact(context.Context, string) (string, error) { return "", nil }

// SetFact implements Facts.
func (noFacts) SetFact(context.Context, string, string) error { return nil }
