package permission

import (
	"errors"
	"path"
	"strings"
)

// toolPattern is a tool of a server, written server__tool; * stands for any characters.
type toolPattern struct{ glob string }

func parseTool(text string) (matcher, error) {
	text = strings.TrimPrefix(text, "mcp__") // the name that the model sees
	if text == "*" {
		return toolPattern{"*"}, nil
	}
	server, tool, ok := strings.Cut(text, "__")
	if !ok || server == "" || tool == "" || strings.ContainsAny(text, " \t[]?\\") {
		return nil, errors.New("it can never match: write server__tool, or server__* for all tools of a server")
	}
	return toolPattern{text}, nil
}

func (t toolPattern) mightMatch(subject string) answer {
	server, tool := toolOf(subject)
	if matches(strings.ToLower(t.glob), strings.ToLower(server+"__"+tool)) {
		return yes
	}
	return no
}

// plainlyMatches lets no star reach into the name of another server: a rule for a__* does
// not cover the server a__b.
func (t toolPattern) plainlyMatches(subject string) bool {
	server, tool := toolOf(subject)
	plain := !strings.Contains(server, "__") && !strings.HasSuffix(server, "_")
	return matches(t.glob, server+"__"+tool) && (plain || t.glob == "*" || strings.HasPrefix(t.glob, server+"__"))
}

func (t toolPattern) neverAllows() error { return nil }

// toolOf is the tool that a subject names: "server tool {arguments}".
func toolOf(subject string) (server, tool string) {
	server, rest, _ := strings.Cut(subject, " ")
	tool, _, _ = strings.Cut(rest, " {")
	return server, tool
}

// matches compares a text that has no path separators.
func matches(glob, text string) bool {
	ok, err := path.Match(glob, strings.ReplaceAll(text, "/", "_"))
	return ok && err == nil
}
