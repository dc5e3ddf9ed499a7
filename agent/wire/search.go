package wire

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"

	"pawl/agent"
)

// NoSearch is what a run says of a model whose server refused its search of the web, as of
// agent.Response.
const NoSearch = "refuses searches of the web; it is asked without"

// Searches remember which models were refused searches of the web, for the life of a provider. The
// zero value remembers none. It is safe for concurrent use.
type Searches struct {
	mu      sync.Mutex
	refused map[string]bool
}

// Refused reports whether a model's search was refused before.
func (s *Searches) Refused(model string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused[model]
}

// Learn reports whether a server refuses a request because of its search, which the server calls by
// one of these words, and remembers that. Not every model has it, and an organisation or a key can be
// forbidden it.
func (s *Searches) Learn(model string, err error, names ...string) bool {
	var failed *agent.ProviderError
	var said Fault
	if !errors.As(err, &failed) || !errors.As(err, &said) || !said.refused {
		return false
	}
	if status := failed.Status; status != http.StatusForbidden && status != http.StatusBadRequest && status != http.StatusUnprocessableEntity {
		return false
	}
	text := strings.ToLower(said.Param + " " + said.Message)
	if !slices.ContainsFunc(names, func(name string) bool { return strings.Contains(text, name) }) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused == nil {
		s.refused = map[string]bool{}
	}
	s.refused[model] = true
	return true
}
