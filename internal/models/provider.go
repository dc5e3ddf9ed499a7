package models

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"pawl/agent/mask"
	"pawl/agent/settings"
	"pawl/internal/variables"
)

// Provider is a name before the slash of a model: a built-in one, or one of the user's settings.
type Provider struct {
	Name     string // the prefix of its models
	Kind     string // one of settings.ProviderKinds
	Variable string // the variable that has to be set; empty: none
	Address  string // the variable that sets another server; empty: none
	Fallback string // its model if the user named none; empty: there is none
	Secret   bool   // the variable holds a key
	BuiltIn  bool

	said settings.Provider // what the user's settings say of it
}

// BuiltIn returns the providers that need no settings, in the order in which a key decides if no
// model was named (section 9 of the design).
func BuiltIn() []Provider {
	return []Provider{
		{Name: "anthropic", Kind: "anthropic", Variable: "ANTHROPIC_API_KEY", Address: "ANTHROPIC_BASE_URL", Fallback: "claude-sonnet-5-5", Secret: true, BuiltIn: true},
		{Name: "openai", Kind: "openai", Variable: "OPENAI_API_KEY", Address: "OPENAI_BASE_URL", Fallback: "gpt-5.5", Secret: true, BuiltIn: true},
		{Name: "openai-chat", Kind: "chat", Variable: "OPENAI_API_KEY", Address: "OPENAI_BASE_URL", Fallback: "gpt-5.5", Secret: true, BuiltIn: true},
		{Name: "gemini", Kind: "gemini", Variable: "GEMINI_API_KEY", Address: "GOOGLE_GEMINI_BASE_URL", Fallback: "gemini-2.5-pro", Secret: true, BuiltIn: true},
		{Name: "ollama", Kind: "ollama", Variable: "OLLAMA_HOST", Address: "OLLAMA_HOST", Fallback: "qwen3", BuiltIn: true},
	}
}

// providersOf are the built-in providers with what the user says of them, and then the user's
// own, by name.
func providersOf(said map[string]settings.Provider) []Provider {
	all := BuiltIn()
	for i := range all {
		all[i] = all[i].with(said[all[i].Name])
	}
	for _, name := range slices.Sorted(maps.Keys(said)) {
		if !slices.Contains(settings.BuiltInProviders(), name) {
			all = append(all, Provider{Name: name, Secret: true}.with(said[name]))
		}
	}
	return all
}

// with applies an entry of the settings. An entry that says where its key comes from does
// without the usual variable.
func (p Provider) with(said settings.Provider) Provider {
	p.said = said
	p.Kind = cmp.Or(said.Kind, p.Kind)
	if p.Kind == "bedrock" {
		p.Variable = bedrockKey
	}
	if said.KeyEnv != "" || len(said.KeyCommand) > 0 {
		p.Variable, p.Secret = said.KeyEnv, true
	}
	if p.Name == "ollama" && said.BaseURL != "" && p.Variable == p.Address {
		p.Variable, p.Secret = "", true
	}
	return p
}

// keyless reports whether the server may be asked without a key: a local one, or one that other
// headers are for.
func (p Provider) keyless() bool {
	if p.Variable != "" || len(p.said.KeyCommand) > 0 {
		return false
	}
	return len(p.said.Headers) > 0 || slices.Contains([]string{"chat", "openai", "ollama"}, p.Kind)
}

// ownLogin reports whether its maker's own login gives it a token, where nothing else is said.
func (p Provider) ownLogin() bool {
	return p.Kind == "vertex" && p.said.KeyEnv == "" && len(p.said.KeyCommand) == 0
}

// signs reports whether requests to it are signed by an access key, where it has no other key.
func (m *Set) signs(p Provider) bool {
	return p.Kind == "bedrock" && m.Env(awsVariables[0]) != "" && m.Env(awsVariables[1]) != ""
}

// address is where it is, as the user says, the settings before the variable; empty: the usual
// one.
func (p Provider) address(env func(string) string) (string, error) {
	if p.said.BaseURL == "" {
		if p.Address == "" {
			return "", nil
		}
		return env(p.Address), nil
	}
	return p.expanded("base_url", p.said.BaseURL, env)
}

// AddressOf is the address of a model's server, as a variable or the settings have it; empty: the
// usual one, or none that can be told.
func (m *Set) AddressOf(model string) string {
	_, p, err := m.Find(model)
	if err != nil {
		return ""
	}
	address, _ := p.address(m.Env)
	return address
}

// Place says where it is, as the user has written that: without what a variable holds, and without
// a query, which may hold a key.
func (m *Set) Place(p Provider) string {
	written, _, _ := strings.Cut(p.said.BaseURL, "?")
	switch {
	case m.Usual(p):
		return "its usual address"
	case written != "":
		return written
	}
	return "the address in " + p.Address
}

// Usual reports that nothing sets another address than a provider's usual one.
func (m *Set) Usual(p Provider) bool {
	return p.said.BaseURL == "" && (p.Address == "" || m.Env(p.Address) == "")
}

// headers are the user's, with their variables.
func (p Provider) headers(env func(string) string) (map[string]string, error) {
	all := map[string]string{}
	for name, value := range p.said.Headers {
		put, err := p.expanded("header "+name, value, env)
		if err != nil {
			return nil, err
		}
		all[name] = put
	}
	return all, nil
}

func (p Provider) expanded(what, text string, env func(string) string) (string, error) {
	return variables.Expand(text, func(r variables.Reference) (string, error) {
		value := env(r.Name)
		switch {
		case value == "" && r.HasDefault:
			return r.Default, nil
		case value == "":
			return "", fmt.Errorf("%s is not set, and the %s of %s needs it: set it, or write ${%s:-a default}", r.Name, what, p.Name, r.Name)
		}
		return value, nil
	})
}

// secretVariables are the variables that hold what shows a provider who asks: its key's, and
// those of its headers.
func (p Provider) secretVariables() []string {
	var names []string
	if p.Secret && p.Variable != "" {
		names = append(names, p.Variable)
	}
	for _, value := range p.said.Headers {
		names = append(names, variables.Names(value)...)
	}
	return names
}

// secrets are the values that must never be written down: its key, and of its headers those
// that are named as secrets or come from variables.
func (p Provider) secrets(env func(string) string) []string {
	var values []string
	for _, name := range p.secretVariables() {
		values = append(values, env(name))
	}
	headers, _ := p.headers(env) // a variable that is not set holds no secret
	for name, value := range headers {
		if mask.SecretName(name) || mask.SecretVariable(strings.ReplaceAll(name, "-", "_")) {
			_, token, found := strings.Cut(value, " ") // Bearer and the like
			values = append(values, value)
			if found {
				values = append(values, token)
			}
		}
	}
	return values
}

// KeyFrom says in words where its key comes from, of the places in their order the first.
func (m *Set) KeyFrom(p Provider) string {
	switch {
	case p.Secret && p.Variable != "" && m.Env(p.Variable) != "":
		return p.Variable
	case len(p.said.KeyCommand) > 0:
		return "its key_command (" + p.said.KeyCommand[0] + ")"
	case m.kept(p.Name):
		return "pawl login"
	case m.signs(p):
		return awsVariables[0] + " and " + awsVariables[1]
	case p.ownLogin():
		return "Google's application default credentials"
	case p.keyless() && len(p.said.Headers) > 0:
		return "its headers"
	case p.keyless():
		return "none is needed"
	}
	return ""
}

// Lacks is what a provider needs and does not have, in words for "… is not set"; empty if it can
// be asked.
func (m *Set) Lacks(p Provider) string {
	if m.Ask != nil || p.keyless() || p.ownLogin() || m.signs(p) || len(p.said.KeyCommand) > 0 || m.kept(p.Name) || p.Variable != "" && m.Env(p.Variable) != "" {
		return ""
	}
	return cmp.Or(p.Variable, "a key for "+p.Name)
}

// bedrockKey is the usual variable of Bedrock's keys.
const bedrockKey = "AWS_BEARER_TOKEN_BEDROCK"

// ToDo says how it gets what it lacks.
func (p Provider) ToDo() string {
	switch {
	case p.Kind == "bedrock" && p.Variable == bedrockKey:
		return fmt.Sprintf("set %s, or %s and %s, or run pawl login %s", bedrockKey, awsVariables[0], awsVariables[1], p.Name)
	case !p.Secret:
		return "set " + p.Variable
	case p.Variable == "":
		return "run pawl login " + p.Name
	}
	return fmt.Sprintf("set %s, or run pawl login %s", p.Variable, p.Name)
}

// Before is what goes before a key that pawl login keeps, in words; empty if nothing does.
func (m *Set) Before(p Provider) string {
	switch {
	case p.Secret && p.Variable != "" && m.Env(p.Variable) != "":
		return p.Variable
	case len(p.said.KeyCommand) > 0:
		return "its key_command"
	}
	return ""
}

// maker is the built-in provider whose models a server certainly has: itself, or the one at
// whose own address it is; empty if nobody can tell.
func (m *Set) maker(p Provider) string {
	if p.BuiltIn {
		return p.Name
	}
	address, err := p.address(m.Env)
	at, bad := url.Parse(address)
	if err != nil || bad != nil {
		return ""
	}
	host := strings.ToLower(at.Hostname())
	switch {
	case p.Kind == "ollama":
		return "ollama"
	case p.Kind == "anthropic" && (host == "" || host == "api.anthropic.com"):
		return "anthropic"
	case p.Kind == "gemini" && (host == "" || host == "generativelanguage.googleapis.com"):
		return "gemini"
	case (p.Kind == "openai" || p.Kind == "chat") && (host == "" || host == "api.openai.com"):
		return "openai"
	}
	return ""
}
