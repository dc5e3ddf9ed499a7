package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"pawl/agent"
	"pawl/agent/anthropic"
	"pawl/agent/chat"
	"pawl/agent/gemini"
	"pawl/agent/mask"
	"pawl/agent/openai"
	"pawl/agent/script"
	"pawl/agent/settings"
	"pawl/agent/wire"
	"pawl/internal/system"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// Demo is the scripted model, which Pawl opens with if it finds no key.
const Demo = "demo"

// Maker describes one provider: how it is recognised and created.
type Maker struct {
	Name     string // the prefix of its models
	Variable string // the variable that has to be set
	Address  string // the variable that sets another server
	Fallback string // its model if the user named none
	Secret   bool   // the variable holds a key
	make     func(m *Set) server
}

// server is a provider that can be asked which models it has.
type server interface {
	agent.Provider
	Models(ctx context.Context) ([]agent.ModelListing, error)
}

// Makers returns the providers, in the order in which a key decides if no model was named
// (section 9 of the design).
func Makers() []Maker {
	return []Maker{
		{"anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "claude-sonnet-5-5", true, func(m *Set) server {
			return anthropic.New(anthropic.Options{Key: m.Env("ANTHROPIC_API_KEY"), BaseURL: m.Env("ANTHROPIC_BASE_URL"), HTTPClient: m.client})
		}},
		{"openai", "OPENAI_API_KEY", "OPENAI_BASE_URL", "gpt-5.5", true, func(m *Set) server {
			return openai.New(openai.Options{Key: m.Env("OPENAI_API_KEY"), BaseURL: m.Env("OPENAI_BASE_URL"), HTTPClient: m.client})
		}},
		{"openai-chat", "OPENAI_API_KEY", "OPENAI_BASE_URL", "gpt-5.5", true, func(m *Set) server {
			return chat.New(chat.Options{Name: chat.NameOpenAI, Key: m.Env("OPENAI_API_KEY"), BaseURL: m.Env("OPENAI_BASE_URL"), HTTPClient: m.client})
		}},
		{"gemini", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", "gemini-2.5-pro", true, func(m *Set) server {
			return gemini.New(gemini.Options{Key: m.Env("GEMINI_API_KEY"), BaseURL: m.Env("GOOGLE_GEMINI_BASE_URL"), HTTPClient: m.client})
		}},
		{"ollama", "OLLAMA_HOST", "OLLAMA_HOST", "qwen3", false, func(m *Set) server {
			return chat.New(chat.Options{Name: chat.NameOllama, BaseURL: m.Env("OLLAMA_HOST"), HTTPClient: m.client})
		}},
	}
}

// Set creates providers, each once and when a run first asks for it. Its methods may be called
// from any goroutine once With was called.
type Set struct {
	Env    func(string) string
	client *http.Client
	pace   script.Pace
	Table  map[string]settings.Model // the user's

	Secrets []string // values of the environment that must never be written down

	mu   sync.Mutex
	made map[string]agent.Provider
}

// New returns a Set for an environment; pace is the speed of the scripted model.
func New(environ, secrets []string, pace script.Pace) *Set {
	return &Set{Env: Lookup(environ), client: wire.Client(), pace: pace, Secrets: secrets, made: map[string]agent.Provider{}}
}

// With sets the user's table of models, and returns m.
func (m *Set) With(table map[string]settings.Model) *Set {
	m.Table = table
	return m
}

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

// Choose picks the model: the flag's, else the setting's, else the last used, else the first
// whose variable is set, else the demo; named reports that it is one of the first two. A last
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
	for _, maker := range Makers() {
		if m.Env(maker.Variable) != "" {
			return maker.Name + "/" + maker.Fallback, false
		}
	}
	return Demo, false
}

// Unattended refuses, for use without a screen, a model that nobody named and that cannot
// answer: the demo, and one whose key is gone.
func (m *Set) Unattended(model string) error {
	if model == Demo {
		return system.Usage(NoKey())
	}
	if variable := m.Missing(model); variable != "" {
		return system.Usage(fmt.Sprintf("%s is not set, and %s, the model used last, needs it: set it, or name another model with --model (pawl doctor shows more)", variable, model))
	}
	return nil
}

// NoKey says which variables enable a model.
func NoKey() string {
	var variables []string
	for _, maker := range Makers() {
		if !slices.Contains(variables, maker.Variable) {
			variables = append(variables, maker.Variable)
		}
	}
	last := len(variables) - 1
	return fmt.Sprintf("no model has a key: set %s or %s (pawl doctor shows more; --model demo plays a script that does not think)", strings.Join(variables[:last], ", "), variables[last])
}

// Missing is the variable that a model needs and that is not set; empty if it needs none.
func (m *Set) Missing(model string) string {
	_, maker, err := m.Find(model)
	if err != nil || m.Env(maker.Variable) != "" {
		return ""
	}
	return maker.Variable
}

// Unready says why a model cannot be asked, and what to do; empty if it can.
func (m *Set) Unready(model string) string {
	variable := m.Missing(model)
	if variable == "" {
		return ""
	}
	return fmt.Sprintf("%s is not set, and %s needs it: set it and start Pawl again, or name another model; pawl doctor shows more", variable, model)
}

// Variables are the variables that providers read, keys and addresses, in the order of Makers.
func Variables() []string {
	return []string{
		"ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL",
		"GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", "OLLAMA_HOST",
	}
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
func (m *Set) Find(model string) (string, Maker, error) {
	prefix, name := agent.SplitModel(model)
	names, providers := []string{Demo}, []string{}
	for _, maker := range Makers() {
		if maker.Name == prefix && name != "" {
			return name, maker, nil
		}
		names, providers = append(names, maker.Name+"/…"), append(providers, maker.Name)
	}
	hint := words.DidYouMean(model, []string{Demo})
	if name != "" {
		hint = words.DidYouMean(prefix, providers)
	}
	return "", Maker{}, fmt.Errorf("unknown model %q%s It is %s", model, cmp.Or(hint, "."), strings.Join(names, ", "))
}

// Resolve implements the field of agent.Loop: the provider of a model, and the model's name
// there.
func (m *Set) Resolve(model string) (agent.Provider, string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if model == Demo {
		if m.made[Demo] == nil {
			m.made[Demo] = script.New(script.Demo(), m.pace)
		}
		return m.made[Demo], Demo, nil
	}
	name, maker, err := m.Find(model)
	if err != nil {
		return nil, "", &lifecycle.Failure{Kind: lifecycle.FailSetup, Message: err.Error()}
	}
	if why := m.Unready(model); why != "" {
		return nil, "", &lifecycle.Failure{Kind: lifecycle.FailAuth, Message: why}
	}
	if provider, ok := m.made[maker.Name]; ok {
		return provider, name, nil
	}
	provider := hinting{maker.make(m), maker.Variable}
	m.made[maker.Name] = provider
	return provider, name, nil
}

// Hide returns the mask for what must never be written down: the secrets, and what looks like
// one.
func (m *Set) Hide() mask.Mask { return mask.New(m.Secrets) }

// hinting adds to a provider's refusal of a key which variable the key came from.
type hinting struct {
	agent.Provider
	variable string
}

func (h hinting) Stream(ctx context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	answer, err := h.Provider.Stream(ctx, req, on)
	var refused *agent.ProviderError
	if errors.As(err, &refused) && refused.Kind == lifecycle.FailAuth {
		told := *refused
		told.Message += "; check " + h.variable
		return answer, &told
	}
	return answer, err
}

// Claude resolves Claude Code's word for a model: a name of Anthropic's, or a family, of which
// only the built-in model is known. ok is false without Anthropic's key.
func (m *Set) Claude(word string) (model string, ok bool) {
	const maker = "anthropic"
	for _, of := range Makers() {
		if of.Name != maker || m.Env(of.Variable) == "" {
			continue
		}
		switch {
		case strings.HasPrefix(word, "claude-"):
			return maker + "/" + word, true
		case word != "" && strings.HasPrefix(of.Fallback, "claude-"+word+"-"):
			return maker + "/" + of.Fallback, true
		}
	}
	return "", false
}
