package wire

import (
	"strings"
	"sync"
)

// Efforts remember which levels of effort a server has refused for which models, for the life
// of a provider. The zero value remembers none. It is safe for concurrent use.
type Efforts struct {
	mu      sync.Mutex
	refused map[refusedEffort]bool
}

type refusedEffort struct{ model, level string }

// Fit returns the level to send to a model, and why it is not the one that was asked for, as of
// agent.Response. The highest levels are replaced by those below them, which nearly all models
// have; the others mean too much to be.
func (e *Efforts) Fit(model, asked string) (level, instead string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	below := map[string]string{"max": "xhigh", "xhigh": "high"}
	for level = asked; e.refused[refusedEffort{model, level}]; level = below[level] {
	}
	switch level {
	case asked:
		return level, ""
	case "":
		return "", "refuses effort " + asked + "; it is asked without"
	}
	return level, "refuses effort " + asked + "; it is asked with " + level
}

// Refused remembers that a level was refused. It returns false if there was none.
func (e *Efforts) Refused(model, level string) bool {
	if level == "" {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.refused == nil {
		e.refused = map[refusedEffort]bool{}
	}
	e.refused[refusedEffort{model, level}] = true
	return true
}

// AboutEffort reports whether a server's objection is about the effort of a request: it names
// the parameter, or one of these words.
func AboutEffort(said Fault, others ...string) bool {
	text := strings.ToLower(said.Param + " " + said.Message)
	for _, word := range append(others, "effort") {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
