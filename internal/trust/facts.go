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

// held looks facts up among the answers of this process first.
type held struct {
	Facts
	verdicts *Answers
}

// KeptIn returns the facts of a database, which may be nil, behind the answers of this process,
// which may be nil too.
func KeptIn(database Facts, said *Answers) Facts {
	switch {
	case database == nil:
		return nobody{}
	case said == nil:
		return database
	}
	return held{database, said}
}

// Fact implements Facts.
func (h held) Fact(ctx context.Context, name string) (string, error) {
	h.verdicts.mu.Lock()
	value, said := h.verdicts.said[name]
	h.verdicts.mu.Unlock()
	if said {
		return value, nil
	}
	return h.Facts.Fact(ctx, name)
}

// SetFact implements Facts.
func (h held) SetFact(ctx context.Context, name, value string) error {
	h.verdicts.mu.Lock()
	if h.verdicts.said == nil {
		h.verdicts.said = map[string]string{}
	}
	h.verdicts.said[name] = value
	h.verdicts.mu.Unlock()
	return h.Facts.SetFact(ctx, name, value)
}

// nobody has no answers: there is no database.
type nobody struct{}

// Fact implements Facts.
func (nobody) Fact(context.Context, string) (string, error) { return "", nil }

// SetFact implements Facts.
func (nobody) SetFact(context.Context, string, string) error { return nil }
