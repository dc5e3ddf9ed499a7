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
	"pawl/internal/host"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// Demo is the scripted model: what Pawl opens on when it finds no key.
const Demo = "demo"

// Maker is how one provider is made and recognised.
type Maker struct {
	Name     string // the prefix of its models
	Variable string // that has to be set
	Address  string // the variable that leads to another server
	Fallback string // the model, where the user named none
	Secret   bool   // the variable holds a key
	make     func(m *Set) server
}

// server is a provider that can be asked which models it has.
type server interface {
	agent.Provider
	Models(ctx context.Context) ([]agent.ModelListing, error)
}

// Makers are the providers in the order of section 9, which is the order in which
// a key decides where no model was named.
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

// Set makes providers, each once and only when a run asks for it.
type Set struct {
	Env    func(string) string
	client *http.Client
	pace   script.Pace
	Table  map[string]settings.Model // the user's

	Secrets []string // values of the environment that must never leave

	mu   sync.Mutex
	made map[string]agent.Provider
}

func New(environ, secrets []string, pace script.Pace) *Set {
	return &Set{Env: Lookup(environ), client: wire.Client(), pace: pace, Secrets: secrets, made: map[string]agent.Provider{}}
}

// With gives models the user's table.
func (m *Set) With(table map[string]settings.Model) *Set {
	m.Table = table
	return m
}

// Lookup reads variables from a list like os.Environ's; the last one counts.
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

// Choose picks the model: the flag's, else the setting's, else the last used,
// else the first whose variable is set, else the demo; named says that it is one of
// the first two. One whose variable is gone is still the last used: another model has
// another price, and nobody would hear of the change.
func (m *Set) Choose(flag, setting, last string) (model string, named bool) {
	for _, name := range []string{flag, setting} {
		if name != "" {
			return name, true
		}
	}
	if m.remembers(last) {
		return last, false
	}
	for _, maker := range Makers() {
		if m.Env(maker.Variable) != "" {
			return maker.Name + "/" + maker.Fallback, false
		}
	}
	return Demo, false
}

// remembers says that the last model used is one to go on with. The demo is none: a key
// that was set since must win.
func (m *Set) remembers(last string) bool {
	_, _, err := m.Find(last)
	return err == nil
}

// Unattended refuses, where there is no screen that would say so, a model that nobody
// Has named and that cannot answer: the demo, and one whose key is gone.
func (m *Set) Unattended(model string) error {
	if model == Demo {
		return host.Usage(NoKey())
	}
	if variable := m.Missing(model); variable != "" {
		return host.Usage(fmt.Sprintf("%s is not set, and %s, the model used last, needs it: set it, or name another model with --model (pawl doctor shows more)", variable, model))
	}
	return nil
}

// NoKey says which variables make a model answer.
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

// Missing is the variable that a model needs and that is not set; empty where it
// Has what it needs.
func (m *Set) Missing(model string) string {
	_, maker, err := m.Find(model)
	if err != nil || m.Env(maker.Variable) != "" {
		return ""
	}
	return maker.Variable
}

// Unready says why a model cannot be asked, and what to do; empty where it can.
func (m *Set) Unready(model string) string {
	variable := m.Missing(model)
	if variable == "" {
		return ""
	}
	return fmt.Sprintf("%s is not set, and %s needs it: set it and start Pawl again, or name another model; pawl doctor shows more", variable, model)
}

// Variables are those that models look at, keys and addresses, in the order
// of makers.
func Variables() []string {
	return []string{
		"ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL",
		"GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", "OLLAMA_HOST",
	}
}

// Check refuses a model that cannot be asked for, before anything is started.
func (m *Set) Check(model string) error {
	if model == Demo {
		return nil
	}
	_, _, err := m.Find(model)
	return err
}

// Find parts a model into its name and how its provider is made.
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

// Resolve is agent.Loop's: the provider of a model, and its name there.
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

// Hide masks what must never be written down: the secrets, and what looks like one.
func (m *Set) Hide() mask.Mask { return mask.New(m.Secrets) }

// hinting is a provider whose refusals of the key name the variable it came from.
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

// Claude finds what Claude Code's word for a model means: a name of its maker's,
// or a family, of which only that of the model built in is known. Without the
// maker's key there is none.
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
