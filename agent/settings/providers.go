package settings

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Provider is a server that models are asked through, under a name of the user's, or what the
// user says of a built-in one, field by field. No variable sets these.
type Provider struct {
	Kind    string            `toml:"kind" json:"kind,omitempty"`         // one of ProviderKinds; built-in names have one
	BaseURL string            `toml:"base_url" json:"base_url,omitempty"` // empty: the usual one of the kind
	Headers map[string]string `toml:"headers" json:"headers,omitempty"`   // of each request
	// KeyEnv is the variable that holds the key, KeyCommand a program and its arguments that
	// print it. An entry with one of them does without the usual variable of a built-in name.
	KeyEnv     string   `toml:"key_env" json:"key_env,omitempty"`
	KeyCommand []string `toml:"key_command" json:"key_command,omitempty"`
	KeyHeader  string   `toml:"key_header" json:"key_header,omitempty"` // the header that takes the key; empty: the usual one
}

// ProviderKinds are what a provider's API can be.
func ProviderKinds() []string {
	return []string{"anthropic", "openai", "chat", "gemini", "ollama", "vertex", "bedrock"}
}

// BuiltInProviders are the names that need no entry, and whose entry needs no kind.
func BuiltInProviders() []string {
	return []string{"anthropic", "openai", "openai-chat", "gemini", "ollama"}
}

// providerKeys are the keys of a provider.
var providerKeys = []string{"kind", "base_url", "headers", "key_env", "key_command", "key_header"}

// providerName matches what may stand before the first slash of a model's name.
var providerName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`) })

// variableName matches names of environment variables.
var variableName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`) })

// headerName matches names of headers.
var headerName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^[0-9A-Za-z!#$%&'*+.^_`|~-]+$") })

// providerSettings are the names that an unknown key of a provider may have been meant for.
func providerSettings(key []string) []string {
	all := []string{"providers"}
	for _, known := range providerKeys {
		all = append(all, strings.Join([]string{"providers", key[1], known}, "."))
	}
	return all
}

// check refuses a provider that cannot be asked.
func (p Provider) check(where, name string) error {
	wrong := func(format string, args ...any) error {
		return &Error{where, "providers." + name + ": " + fmt.Sprintf(format, args...)}
	}
	kinds := strings.Join(ProviderKinds(), ", ")
	switch {
	case !providerName().MatchString(name) || name == "demo":
		return &Error{where, fmt.Sprintf("providers.%q: a provider's name has 1 to 64 letters, digits, ., _ or -, and is not demo", name)}
	case p.Kind == "" && !slices.Contains(BuiltInProviders(), name):
		return wrong("it has no kind: write kind = \"chat\", or one of %s", kinds)
	case p.Kind != "" && !slices.Contains(ProviderKinds(), p.Kind):
		return wrong("kind %q: must be one of %s", p.Kind, kinds)
	case p.Kind == "vertex" && p.BaseURL == "":
		return wrong("it has no base_url: write base_url = \"https://aiplatform.googleapis.com/v1/projects/PROJECT/locations/global\"")
	case p.Kind == "bedrock" && p.BaseURL == "":
		return wrong("it has no base_url: write base_url = \"https://bedrock-runtime.REGION.amazonaws.com\"")
	case p.KeyEnv != "" && !variableName().MatchString(p.KeyEnv):
		return wrong("key_env is the name of a variable, such as ROUTER_API_KEY, not the key itself")
	case len(p.KeyCommand) > 0 && strings.TrimSpace(p.KeyCommand[0]) == "":
		return wrong(`its key_command is blank: write key_command = ["program", "argument"]`)
	case p.KeyHeader != "" && !headerName().MatchString(p.KeyHeader):
		return wrong("key_header %q is not the name of a header", p.KeyHeader)
	}
	if why := p.badAddress(name); why != "" {
		return wrong("base_url %q %s", p.BaseURL, why)
	}
	for header, value := range p.Headers {
		if !headerName().MatchString(header) {
			return wrong("%q is not the name of a header", header)
		}
		if strings.ContainsFunc(value, unicode.IsControl) {
			return wrong("the value of its header %s cannot be sent", header) // it may be a secret
		}
	}
	return nil
}

// badAddress is what is wrong with the address; empty if nothing is. Ollama's may be a host alone.
func (p Provider) badAddress(name string) string {
	at, err := url.Parse(p.BaseURL)
	switch {
	case p.BaseURL == "", strings.HasPrefix(p.BaseURL, "${"):
		return ""
	case (p.Kind == "ollama" || p.Kind == "" && name == "ollama") && !strings.Contains(p.BaseURL, "://"):
		return ""
	case err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https":
		return "is not a web address: it must begin with https:// or http://"
	case at.User != nil:
		return "holds a password: put it into headers, by a variable"
	}
	return ""
}
