package models

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"

	"pawl/agent"
	"pawl/agent/mask"
	"pawl/agent/script"
	"pawl/agent/settings"
	"pawl/agent/wire"
	"pawl/internal/system"
	"pawl/internal/words"
)

// Demo is the scripted model, which Pawl opens with if it finds no key.
const Demo = "demo"

// Set creates providers, each once and when a run first asks for it. Its methods may be called
// from any goroutine once With and WithProviders were called.
type Set struct {
	Env     func(string) string
	Table   map[string]settings.Model // the user's
	Learned *mask.Learned             // keys that were not in the environment at the start
	Keys    Keeper                    // what pawl login has kept; nil: nothing
	// Run runs a program without a shell and returns what it prints, at most some lines. Nil:
	// none can be run.
	Run func(ctx context.Context, command []string) (string, error)
	// Ask, where it is set, is who knows the keys that are in no variable, in place of Keys and
	// Run: the process that this one works for.
	Ask func(ctx context.Context, provider, refused string) (string, error)

	client       *http.Client
	pace         script.Pace
	given        []string // values of the environment that must never be written down
	providers    []Provider
	commandLimit time.Duration

	mu       sync.Mutex
	made     map[string]agent.Provider
	keyrings map[string]*keyring

	googleTokens map[string]oauth2.TokenSource // by provider
}

// New returns a Set for an environment, which knows the built-in providers; pace is the speed of
// the scripted model.
func New(environ, secrets []string, pace script.Pace) *Set {
	return &Set{
		Env: Lookup(environ), client: wire.Client(), pace: pace, given: secrets, providers: BuiltIn(), commandLimit: commandLimit,
		Learned: new(mask.Learned), made: map[string]agent.Provider{}, keyrings: map[string]*keyring{}, googleTokens: map[string]oauth2.TokenSource{},
	}
}

// With sets the user's table of models, and returns m.
func (m *Set) With(table map[string]settings.Model) *Set {
	m.Table = table
	return m
}

// WithProviders sets what the user says of providers, and returns m.
func (m *Set) WithProviders(said map[string]settings.Provider) *Set {
	m.providers = providersOf(said)
	for _, p := range m.providers {
		m.Learned.Add(p.secrets(m.Env)...)
	}
	return m
}

// Providers returns all providers, the built-in ones first.
func (m *Set) Providers() []Provider { return slices.Clone(m.providers) }

// Provider returns the provider of a name.
func (m *Set) Provider(name string) (Provider, bool) {
	for _, p := range m.providers {
		if p.Name == name {
			return p, true
		}
	}
	return Provider{}, false
}

// Secrets are the values known so far that must never be written down.
func (m *Set) Secrets() []string { return slices.Concat(m.given, m.Learned.Secrets()) }

// Lookup returns a function that reads variables from a list like os.Environ's; of several the
// last counts.
func Lookup(environ []string) func(string) string {
	return func(name string) string {
		for i := len(environ) - 1; i >= 0; i-- {
			if key, value, _ := strings.Cut(environ[i], "="); key == name {
				return value
			}
		}
		return ""
	}
}

// Choose picks the model: the flag's, else the setting's, else the last used, else that of the
// first built-in provider that has a key, else the demo; named reports that it is one of the first two. A last
// used model is kept even if its variable is gone: another model has another price, and nobody
// would notice the change.
func (m *Set) Choose(flag, setting, last string) (model string, named bool) {
	for _, name := range []string{flag, setting} {
		if name != "" {
			return name, true
		}
	}
	if _, _, err := m.Find(last); err == nil { // not the demo: a key that was set since must win
		return last, false
	}
	for _, p := range m.providers {
		if p.Fallback != "" && m.Lacks(p) == "" {
			return p.Name + "/" + p.Fallback, false
		}
	}
	return Demo, false
}

// Keyless reports that no provider can be asked, for want of a key or an address.
func (m *Set) Keyless() bool {
	return !slices.ContainsFunc(m.providers, func(p Provider) bool { return m.Lacks(p) == "" })
}

// Unattended refuses, for use without a screen, a model that nobody named and that cannot
// answer: the demo, and one whose key is gone.
func (m *Set) Unattended(model string) error {
	if model == Demo {
		return system.Usage(m.NoKey())
	}
	if lacks, p := m.missing(model); lacks != "" {
		return system.Usage(fmt.Sprintf("%s is not set, and %s, the model used last, needs it: %s, or name another model with --model (pawl doctor shows more)", lacks, model, p.ToDo()))
	}
	return nil
}

// NoKey says how to come by a model.
func (m *Set) NoKey() string {
	var variables, own []string
	for _, p := range m.providers {
		switch {
		case !p.BuiltIn && m.Lacks(p) == "":
			own = append(own, p.Name+"/…")
		case p.BuiltIn && p.Variable != "" && !slices.Contains(variables, p.Variable):
			variables = append(variables, p.Variable)
		}
	}
	if len(own) > 0 {
		return fmt.Sprintf("no model is named: name one of %s with --model or the model setting (pawl models lists them; --model demo plays a script that does not think)", strings.Join(own, ", "))
	}
	return fmt.Sprintf("no model has a key: set %s, or run pawl login NAME (pawl doctor shows more; --model demo plays a script that does not think)", words.Alternatives(variables))
}

// Missing is what a model needs and does not have, in words for "… is not set"; empty if it
// can be asked.
func (m *Set) Missing(model string) string {
	lacks, _ := m.missing(model)
	return lacks
}

func (m *Set) missing(model string) (string, Provider) {
	_, p, err := m.Find(model)
	if err != nil {
		return "", p
	}
	return m.Lacks(p), p
}

// Unready says why a model cannot be asked, and what to do; empty if it can.
func (m *Set) Unready(model string) string {
	lacks, p := m.missing(model)
	switch {
	case lacks == "":
		return ""
	case p.Secret:
		return fmt.Sprintf("%s is not set, and %s needs it: run pawl login %s%s, or name another model; pawl doctor shows more", lacks, model, p.Name, orSet(p))
	}
	return fmt.Sprintf("%s is not set, and %s needs it: set it and start Pawl again, or name another model; pawl doctor shows more", lacks, model)
}

func orSet(p Provider) string {
	if p.Variable == "" {
		return ""
	}
	return ", or set it and start Pawl again"
}

// Variables are the variables that the built-in providers read, keys and addresses, in their
// order.
func Variables() []string {
	var all []string
	for _, p := range BuiltIn() {
		for _, name := range []string{p.Variable, p.Address} {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// Withheld are the variables that no program of a model gets: those of the built-in providers,
// and those that hold keys of the user's own.
func (m *Set) Withheld() []string {
	all := Variables()
	for _, p := range m.providers {
		for _, name := range p.secretVariables() {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// Check returns an error for a model that does not exist.
func (m *Set) Check(model string) error {
	if model == Demo {
		return nil
	}
	_, _, err := m.Find(model)
	return err
}

// Find splits a model into its name and its provider.
func (m *Set) Find(model string) (string, Provider, error) {
	prefix, name := agent.SplitModel(model)
	names, providers := []string{Demo}, []string{}
	for _, p := range m.providers {
		if p.Name == prefix && name != "" {
			return name, p, nil
		}
		names, providers = append(names, p.Name+"/…"), append(providers, p.Name)
	}
	hint := words.DidYouMean(model, []string{Demo})
	if name != "" {
		hint = words.DidYouMean(prefix, providers)
	}
	return "", Provider{}, fmt.Errorf("unknown model %q%s It is %s", model, cmp.Or(hint, "."), strings.Join(names, ", "))
}

// Resolve implements the field of agent.Loop: the provider of a model, and the model's name
// there.
func (m *Set) Resolve(model string) (agent.Provider, string, error) {
	if model == Demo {
		return m.provider(Demo, func() agent.Provider { return script.New(script.Demo(), m.pace) }), Demo, nil
	}
	name, p, err := m.Find(model)
	if err != nil {
		return nil, "", failedSetup(err.Error())
	}
	if why := m.Unready(model); why != "" {
		return nil, "", failedAuth(why)
	}
	return m.provider(p.Name, func() agent.Provider { return &keyed{set: m, of: p} }), name, nil
}

// provider is the one of a name, which is made when it is first asked for.
func (m *Set) provider(name string, make func() agent.Provider) agent.Provider {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.made[name] == nil {
		m.made[name] = make()
	}
	return m.made[name]
}

// Hide returns the mask for what must never be written down: the secrets, those that become
// known later included, and what looks like one.
func (m *Set) Hide() mask.Mask { return mask.New(m.given).With(m.Learned) }

// Claude resolves Claude Code's word for a model: a name of Anthropic's, or a family, of which
// only the built-in model is known. ok is false without Anthropic's key.
func (m *Set) Claude(word string) (model string, ok bool) {
	p, _ := m.Provider("anthropic")
	switch {
	case m.Lacks(p) != "":
		return "", false
	case strings.HasPrefix(word, "claude-"):
		return p.Name + "/" + word, true
	case word != "" && strings.HasPrefix(p.Fallback, "claude-"+word+"-"):
		return p.Name + "/" + p.Fallback, true
	}
	return "", false
}
