package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
	"sync"
)

// trust is what the user has said about the files of a folder that would make Pawl
// start programs or send something somewhere. It is remembered by content: a file
// that has changed is one that nobody has seen.
type trust struct {
	facts  facts
	folder string
}

// facts is where it is remembered.
type facts interface {
	Fact(ctx context.Context, name string) (string, error)
	SetFact(ctx context.Context, name, value string) error
}

// verdict is an answer that was remembered.
type verdict string

// The verdicts, a closed set.
const (
	unseen     verdict = "" // nobody has said anything about this content
	trusted    verdict = "yes"
	distrusted verdict = "never"
)

// name is of the fact about a file.
func (t trust) name(file string) string { return t.about("trust:", file) }

// about is the name of a fact of some kind. A folder is meant by where it really is: a
// link to a trusted one is that one, and a link that points elsewhere by now is not.
func (t trust) about(kind, file string) string {
	folder, err := filepath.EvalSymlinks(t.folder)
	if err != nil {
		folder = t.folder
	}
	return kind + filepath.Join(folder, file)
}

func digest(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// of is what was said about a file with this content, and what was shown when
// something was last said about the file.
func (t trust) of(ctx context.Context, file, content string) (said verdict, shown []string, err error) {
	value, err := t.facts.Fact(ctx, t.name(file))
	if err != nil || value == "" {
		return unseen, nil, err
	}
	lines := strings.Split(value, "\n")
	word, sum, _ := strings.Cut(lines[0], " ")
	if sum != digest(content) {
		return unseen, lines[1:], nil
	}
	switch v := verdict(word); v {
	case trusted, distrusted:
		return v, lines[1:], nil
	case unseen:
	}
	return unseen, lines[1:], nil // a newer Pawl's word
}

// mostShown bounds what is kept of what was shown, in bytes.
const mostShown = 64 << 10

// remember keeps what was said and what was shown, in place of what was there before.
func (t trust) remember(ctx context.Context, file, content string, said verdict, shown []string) error {
	value := string(said) + " " + digest(content)
	for _, line := range shown {
		if len(value)+len(line) > mostShown {
			break
		}
		value += "\n" + strings.ReplaceAll(line, "\n", " ")
	}
	return t.facts.SetFact(ctx, t.name(file), value)
}

// forget makes Pawl ask again.
func (t trust) forget(ctx context.Context, file string) error {
	return t.facts.SetFact(ctx, t.name(file), "")
}

// verdicts are facts that hold until Pawl ends, also where they cannot be kept. The
// zero value has none; nil is never asked.
type verdicts struct {
	mu   sync.Mutex
	said map[string]string
}

// held are facts with the answers of this process before them.
type held struct {
	facts
	verdicts *verdicts
}

// Fact implements facts.
func (h held) Fact(ctx context.Context, name string) (string, error) {
	h.verdicts.mu.Lock()
	value, said := h.verdicts.said[name]
	h.verdicts.mu.Unlock()
	if said {
		return value, nil
	}
	return h.facts.Fact(ctx, name)
}

// SetFact implements facts.
func (h held) SetFact(ctx context.Context, name, value string) error {
	h.verdicts.mu.Lock()
	if h.verdicts.said == nil {
		h.verdicts.said = map[string]string{}
	}
	h.verdicts.said[name] = value
	h.verdicts.mu.Unlock()
	return h.facts.SetFact(ctx, name, value)
}

// nobody has said anything: there is no database.
type nobody struct{}

// Fact implements facts.
func (nobody) Fact(context.Context, string) (string, error) { return "", nil }

// SetFact implements facts.
func (nobody) SetFact(context.Context, string, string) error { return nil }

// facts are those that trust is remembered by.
func (b *base) facts() facts {
	switch {
	case b.store == nil:
		return nobody{}
	case b.world.verdicts == nil:
		return b.store
	}
	return held{b.store, b.world.verdicts}
}
