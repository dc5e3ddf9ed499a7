package permission

import (
	"errors"
	"slices"

	"pawl/agent"
)

// parseSearched parses a rule about searches, which names hosts as the providers do: with all
// below them.
func parseSearched(text string) (matcher, error) {
	m, err := parseHost(text)
	if err != nil {
		return nil, errors.New("a search rule names a host alone: write search(host:go.dev), or search(*) for all of the web")
	}
	if m.(hostPattern).below {
		return nil, errors.New("a host covers those below it: write search(host:go.dev)")
	}
	return m, nil
}

// Search returns what a model's own server may search in this mode; nil: nothing. Only a rule
// allows it, in every mode, since nobody can be asked; plan mode never does.
func (r Rules) Search(mode Mode) *agent.WebSearch {
	if mode == Plan {
		return nil
	}
	var w agent.WebSearch
	for _, rule := range r.Deny {
		if host, of := searched(rule); of && host == "" {
			return nil
		} else if of {
			w.Blocked = append(w.Blocked, host)
		}
	}
	allowed, all := false, false
	for _, rule := range r.Allow {
		host, of := searched(rule.Rule)
		allowed, all = allowed || of, all || of && host == ""
		if of && host != "" && !denied(w.Blocked, host) {
			w.Allowed = append(w.Allowed, host)
		}
	}
	switch {
	case !allowed, !all && len(w.Allowed) == 0:
		return nil
	case all:
		w.Allowed = nil
	default:
		w.Blocked = nil // what is denied below an allowed host cannot be said; see denied
	}
	return &w
}

// denied reports whether a host may not be searched because it, one above it or one below it is
// denied: providers take no exceptions from what they may search.
func denied(blocked []string, host string) bool {
	return slices.ContainsFunc(blocked, func(name string) bool {
		return hostPattern{name: name}.mightMatch("https://"+host) != no || hostPattern{name: host}.mightMatch("https://"+name) != no
	})
}

// searched is the host that a rule about searches is about; empty for all.
func searched(rule Rule) (host string, of bool) {
	pattern, is := rule.match.(hostPattern)
	return pattern.name, is && rule.kind == agent.EffectSearch
}

// Search reports whether the model's own server may search: nothing narrows it, or a rule names
// searches.
func (n Narrowing) Search() bool {
	return n == nil || slices.ContainsFunc(n, func(rule Rule) bool { return rule.kind == agent.EffectSearch })
}
