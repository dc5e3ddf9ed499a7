package mcp

import (
	"slices"
	"strings"

	"pawl/agent"
	"pawl/agent/mask"
	"pawl/agent/sanitize"
	"pawl/internal/words"
)

// longestInstructions limits a server's instructions in a model's prompt, in characters.
const longestInstructions = 2000

// Instructions returns, by server, how to use those of its tools that are given: the server's
// own words, shortened and without invisible characters.
func (s *Servers) Instructions(given []agent.Tool) []agent.ServerNote {
	var all []agent.ServerNote
	for _, one := range s.list() {
		words := one.instructions()
		theirs := func(tool agent.Tool) bool {
			return slices.ContainsFunc(given, func(g agent.Tool) bool { return g.Spec.Name == tool.Spec.Name })
		}
		if words != "" && slices.ContainsFunc(one.tools(), theirs) {
			all = append(all, agent.ServerNote{By: one.spec.Name, Text: words})
		}
	}
	slices.SortFunc(all, func(a, b agent.ServerNote) int { return strings.Compare(a.By, b.By) })
	return all
}

// instructions are those of the current session; empty if there is none.
func (s *server) instructions() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return ""
	}
	result := s.conn.session.InitializeResult()
	if result == nil {
		return ""
	}
	text := result.Instructions[:min(len(result.Instructions), 64<<10)]
	return words.Cut(strings.TrimSpace(string(sanitize.Clean(mask.Mask{}.Text(text)))), longestInstructions)
}
