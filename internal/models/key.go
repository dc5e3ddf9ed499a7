package models

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"pawl/internal/keys"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// Keeper is the store of keys that pawl login fills; *keys.Store is one.
type Keeper interface {
	Has(name string) bool // quick, and never asks a key ring
	Get(name string) (key, place string, err error)
}

// commandLimit is how long a key_command may take.
const commandLimit = 10 * time.Second

// key is what shows a provider who asks, and where it is from, in words for "check …".
type key struct{ text, from string }

// keyring has the keys of one provider that had to be asked for: a program's, a stored one. They
// are kept in memory until the server refuses them.
type keyring struct {
	turn chan struct{} // held while one run asks for the key, which all wait for

	mu  sync.Mutex
	now key
}

func newKeyring() *keyring { return &keyring{turn: make(chan struct{}, 1)} }

func (k *keyring) held() key {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.now
}

// get returns the key in memory, or what ask returns. refused is the key that the server has just
// refused, which is not returned from memory; empty: none was.
func (k *keyring) get(ctx context.Context, refused string, ask func() (key, error)) (key, error) {
	select {
	case k.turn <- struct{}{}:
		defer func() { <-k.turn }()
	case <-ctx.Done():
		return key{}, context.Cause(ctx)
	}
	if now := k.held(); now.text != "" && now.text != refused {
		return now, nil
	}
	asked, err := ask()
	if err != nil {
		return key{}, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.now = asked
	return asked, nil
}

// Key returns the key of a provider: the variable's, else what its key_command prints, else what
// pawl login has kept; empty if it needs none. It may take as long as a program takes. refused is
// the key that the server has just refused, so that another is looked for. The error is a
// *lifecycle.Failure of one line, or ctx's.
func (m *Set) Key(ctx context.Context, provider, refused string) (string, error) {
	p, ok := m.Provider(provider)
	if !ok {
		return "", failedSetup(fmt.Sprintf("there is no provider %q", provider))
	}
	found, err := m.keyOf(ctx, p, refused)
	return found.text, err
}

func (m *Set) keyOf(ctx context.Context, p Provider, refused string) (key, error) {
	if p.Secret && p.Variable != "" && m.Env(p.Variable) != "" {
		return key{m.Env(p.Variable), p.Variable}, nil
	}
	if m.Ask == nil && p.ownLogin() && !m.kept(p.Name) {
		return m.googleKey(ctx, p)
	}
	if m.Ask == nil && len(p.said.KeyCommand) == 0 && !m.kept(p.Name) {
		if m.signs(p) {
			return key{from: m.KeyFrom(p)}, nil
		}
		if p.keyless() || !p.Secret {
			return key{from: "its settings: it may need a key, which pawl login " + p.Name + " keeps"}, nil
		}
		return key{}, failedAuth(fmt.Sprintf("%s is not set: %s", m.Lacks(p), p.ToDo()))
	}
	return m.keyringOf(p.Name).get(ctx, refused, func() (key, error) {
		found, err := m.ask(ctx, p, refused)
		if err == nil {
			m.Learned.Add(found.text)
		}
		return found, err
	})
}

func (m *Set) keyringOf(provider string) *keyring {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.keyrings[provider] == nil {
		m.keyrings[provider] = newKeyring()
	}
	return m.keyrings[provider]
}

// ask gets a key that is in no variable.
func (m *Set) ask(ctx context.Context, p Provider, refused string) (key, error) {
	switch {
	case m.Ask != nil:
		text, err := m.Ask(ctx, p.Name, refused)
		return key{text, "the key of " + p.Name}, err
	case len(p.said.KeyCommand) > 0:
		text, err := m.run(ctx, p)
		return key{text, "its key_command"}, err
	}
	text, place, err := m.Keys.Get(keys.ForProvider(p.Name))
	if errors.Is(err, keys.ErrNone) {
		err = fmt.Errorf("the key of %s is gone from %s: run pawl login %s", p.Name, place, p.Name)
	}
	if err != nil {
		return key{}, failedAuth(words.Line(err.Error()))
	}
	return key{text, "the key in " + place + " (pawl login " + p.Name + " keeps another)"}, nil
}

func (m *Set) kept(provider string) bool {
	return m.Keys != nil && m.Keys.Has(keys.ForProvider(provider))
}

// run runs a provider's key_command.
func (m *Set) run(ctx context.Context, p Provider) (string, error) {
	program := p.said.KeyCommand[0]
	if m.Run == nil {
		return "", failedAuth("the key_command of " + p.Name + " cannot be run here")
	}
	limited, stop := context.WithTimeout(ctx, m.commandLimit)
	defer stop()
	printed, err := m.Run(limited, p.said.KeyCommand)
	line, _, _ := strings.Cut(printed, "\n")
	line = strings.TrimSpace(line)
	why := ""
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case limited.Err() != nil:
		why = fmt.Sprintf("did not end within %s: run %s yourself to see what it waits for", m.commandLimit, program)
	case err != nil:
		why = fmt.Sprintf("failed: %s; run %s yourself, or correct it in config.toml", words.Line(err.Error()), program)
	case line == "":
		why = fmt.Sprintf("printed no key on its first line: run %s yourself, or correct it in config.toml", program)
	case !IsKey(line):
		why = fmt.Sprintf("printed something on its first line that is no key: run %s yourself, or correct it in config.toml", program)
	}
	if why != "" {
		return "", failedAuth("the key_command of " + p.Name + " " + why)
	}
	return line, nil
}

// IsKey reports whether a text can be a key: one word of ASCII's signs.
func IsKey(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}

func failedAuth(message string) error {
	return &lifecycle.Failure{Kind: lifecycle.FailAuth, Message: message}
}

func failedSetup(message string) error {
	return &lifecycle.Failure{Kind: lifecycle.FailSetup, Message: message}
}
