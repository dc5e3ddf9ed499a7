package main

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
	"pawl/lifecycle"
)

// demoModel is the scripted model: what Pawl opens on when it finds no key.
const demoModel = "demo"

// maker is how one provider is made and recognised.
type maker struct {
	name     string // the prefix of its models
	variable string // that has to be set
	address  string // the variable that leads to another server
	fallback string // the model, where the user named none
	secret   bool   // the variable holds a key
	make     func(m *models) server
}

// server is a provider that can be asked which models it has.
type server interface {
	agent.Provider
	Models(ctx context.Context) ([]agent.Offer, error)
}

// makers are the providers in the order of section 9, which is the order in which
// a key decides where no model was named.
func makers() []maker {
	return []maker{
		{"anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "claude-sonnet-5-5", true, func(m *models) server {
			return anthropic.New(anthropic.Options{Key: m.env("ANTHROPIC_API_KEY"), BaseURL: m.env("ANTHROPIC_BASE_URL"), HTTPClient: m.client})
		}},
		{"openai", "OPENAI_API_KEY", "OPENAI_BASE_URL", "gpt-5.5", true, func(m *models) server {
			return openai.New(openai.Options{Key: m.env("OPENAI_API_KEY"), BaseURL: m.env("OPENAI_BASE_URL"), HTTPClient: m.client})
		}},
		{"openai-chat", "OPENAI_API_KEY", "OPENAI_BASE_URL", "gpt-5.5", true, func(m *models) server {
			return chat.New(chat.Options{Name: chat.NameOpenAI, Key: m.env("OPENAI_API_KEY"), BaseURL: m.env("OPENAI_BASE_URL"), HTTPClient: m.client})
		}},
		{"gemini", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", "gemini-2.5-pro", true, func(m *models) server {
			return gemini.New(gemini.Options{Key: m.env("GEMINI_API_KEY"), BaseURL: m.env("GOOGLE_GEMINI_BASE_URL"), HTTPClient: m.client})
		}},
		{"ollama", "OLLAMA_HOST", "OLLAMA_HOST", "qwen3", false, func(m *models) server {
			return chat.New(chat.Options{Name: chat.NameOllama, BaseURL: m.env("OLLAMA_HOST"), HTTPClient: m.client})
		}},
	}
}

// models makes providers, each once and only when a run asks for it.
type models struct {
	env    func(string) string
	client *http.Client
	pace   script.Pace
	table  map[string]settings.Model // the user's

	secrets []string // values of the environment that must never leave

	mu   sync.Mutex
	made map[string]agent.Provider
}

func newModels(environ []string, pace script.Pace) *models {
	return &models{env: lookup(environ), client: wire.Client(), pace: pace, secrets: secretsIn(environ), made: map[string]agent.Provider{}}
}

// with gives models the user's table.
func (m *models) with(table map[string]settings.Model) *models {
	m.table = table
	return m
}

// lookup reads variables from a list like os.Environ's; the last one counts.
func lookup(environ []string) func(string) string {
	return func(name string) string {
		for i := len(environ) - 1; i >= 0; i-- {
			if key, value, _ := strings.Cut(environ[i], "="); key == name {
				return value
			}
		}
		return ""
	}
}

// choose picks the model: the flag's, else the setting's, else the last used,
// else the first whose variable is set, else the demo; named says that it is one of
// the first two. One whose variable is gone is still the last used: another model has
// another price, and nobody would hear of the change.
func (m *models) choose(flag, setting, last string) (model string, named bool) {
	for _, name := range []string{flag, setting} {
		if name != "" {
			return name, true
		}
	}
	if m.remembers(last) {
		return last, false
	}
	for _, maker := range makers() {
		if m.env(maker.variable) != "" {
			return maker.name + "/" + maker.fallback, false
		}
	}
	return demoModel, false
}

// remembers says that the last model used is one to go on with. The demo is none: a key
// that was set since must win.
func (m *models) remembers(last string) bool {
	_, _, err := m.find(last)
	return err == nil
}

// unattended refuses, where there is no screen that would say so, a model that nobody
// has named and that cannot answer: the demo, and one whose key is gone.
func (m *models) unattended(model string) error {
	if model == demoModel {
		return host.Usage(noKey())
	}
	if variable := m.missing(model); variable != "" {
		return host.Usage(fmt.Sprintf("%s is not set, and %s, the model used last, needs it: set it, or name another model with --model (pawl doctor shows more)", variable, model))
	}
	return nil
}

// noKey says which variables make a model answer.
func noKey() string {
	var variables []string
	for _, maker := range makers() {
		if !slices.Contains(variables, maker.variable) {
			variables = append(variables, maker.variable)
		}
	}
	last := len(variables) - 1
	return fmt.Sprintf("no model has a key: set %s or %s (pawl doctor shows more; --model demo plays a script that does not think)", strings.Join(variables[:last], ", "), variables[last])
}

// missing is the variable that a model needs and that is not set; empty where it
// has what it needs.
func (m *models) missing(model string) string {
	_, maker, err := m.find(model)
	if err != nil || m.env(maker.variable) != "" {
		return ""
	}
	return maker.variable
}

// unready says why a model cannot be asked, and what to do; empty where it can.
func (m *models) unready(model string) string {
	variable := m.missing(model)
	if variable == "" {
		return ""
	}
	return fmt.Sprintf("%s is not set, and %s needs it: set it and start Pawl again, or name another model; pawl doctor shows more", variable, model)
}

// modelVariables are those that models look at, keys and addresses, in the order
// of makers.
func modelVariables() []string {
	return []string{
		"ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL",
		"GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", "OLLAMA_HOST",
	}
}

// check refuses a model that cannot be asked for, before anything is started.
func (m *models) check(model string) error {
	if model == demoModel {
		return nil
	}
	_, _, err := m.find(model)
	return err
}

// find parts a model into its name and how its provider is made.
func (m *models) find(model string) (string, maker, error) {
	prefix, name := agent.SplitModel(model)
	names, providers := []string{demoModel}, []string{}
	for _, maker := range makers() {
		if maker.name == prefix && name != "" {
			return name, maker, nil
		}
		names, providers = append(names, maker.name+"/…"), append(providers, maker.name)
	}
	hint := settings.DidYouMean(model, []string{demoModel})
	if name != "" {
		hint = settings.DidYouMean(prefix, providers)
	}
	return "", maker{}, fmt.Errorf("unknown model %q%s It is %s", model, cmp.Or(hint, "."), strings.Join(names, ", "))
}

// Resolve is agent.Loop's: the provider of a model, and its name there.
func (m *models) Resolve(model string) (agent.Provider, string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if model == demoModel {
		if m.made[demoModel] == nil {
			m.made[demoModel] = script.New(script.Demo(), m.pace)
		}
		return m.made[demoModel], demoModel, nil
	}
	name, maker, err := m.find(model)
	if err != nil {
		return nil, "", &lifecycle.Failure{Kind: lifecycle.FailSetup, Message: err.Error()}
	}
	if why := m.unready(model); why != "" {
		return nil, "", &lifecycle.Failure{Kind: lifecycle.FailAuth, Message: why}
	}
	if provider, ok := m.made[maker.name]; ok {
		return provider, name, nil
	}
	provider := hinting{maker.make(m), maker.variable}
	m.made[maker.name] = provider
	return provider, name, nil
}

// hide masks what must never be written down: the secrets, and what looks like one.
func (m *models) hide() mask.Mask { return mask.New(m.secrets) }

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
