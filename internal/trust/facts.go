package trust

import (
	"context"
	"sync"
)

// Facts is where answers are remembered: a database, or less.
type Facts interface {
	Fact(ctx context.Context, name string) (string, error) // empty where nothing is remembered
	SetFact(ctx context.Context, name, value string) error
}

// Answers are facts that hold until Pawl ends, also where they cannot be kept. The
// zero value has none; nil is never asked.
type Answers struct {
	mu   sync.Mutex
	said map[string]string
}

// held are facts with the answers of this process before them.
type held struct {
	Facts
	verdicts *Answers
}

// KeptIn are the facts of a database, which may be nil, with the answers of this process
// before them, if it has any.
func KeptIn(database Facts, said *Answers) Facts {
	switch {
	case database == nil:
		return nobody{}
	case said == nil:
		return database
	}
	return held{database, said}
}

// Fact implements facts.
func (h held) Fact(ctx context.Context, name string) (string, error) {
	h.verdicts.mu.Lock()
	value, said := h.verdicts.said[name]
	h.verdicts.mu.Unlock()
	if said {
		return value, nil
	}
	return h.Facts.Fact(ctx, name)
}

// SetFact implements facts.
func (h held) SetFact(ctx context.Context, name, value string) error {
	h.verdicts.mu.Lock()
	if h.verdicts.said == nil {
		h.verdicts.said = map[string]string{}
	}
	h.verdicts.said[name] = value
	h.verdicts.mu.Unlock()
	return h.Facts.SetFact(ctx, name, value)
}

// nobody has said anything: there is no database.
type nobody struct{}

// Fact implements facts.
func (nobody) Fact(context.Context, string) (string, error) { return "", nil }

// SetFact implements facts.
func (nobody) SetFact(context.Context, string, string) error { return nil }
