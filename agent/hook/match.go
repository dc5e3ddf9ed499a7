package hook

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/internal/words"
)

// Match selects the tools, subagent types, kinds of start or kinds of notification that a
// hook is about: names joined by |, with * wildcards. Empty matches all.
type Match string

// Matches reports whether a name matches.
func (m Match) Matches(name string) bool {
	if m == "" {
		return true
	}
	return slices.ContainsFunc(m.patterns(), func(pattern string) bool {
		ok, err := path.Match(pattern, name)
		return ok && err == nil
	})
}

func (m Match) patterns() []string { return strings.Split(string(m), "|") }

// Check refuses a pattern that can never match. tools lists Pawl's own tools; those of
// servers begin with mcp__.
func (m Match) Check(event agent.HookEvent, tools []string) error {
	if m == "" {
		return nil
	}
	for _, pattern := range m.patterns() {
		if err := checkPattern(pattern); err != nil {
			return fmt.Errorf("match %q: %w", m, err)
		}
		if err := m.checkName(event, pattern, tools); err != nil {
			return fmt.Errorf("match %q: %w", m, err)
		}
	}
	return nil
}

func checkPattern(pattern string) error {
	switch {
	case pattern == "":
		return errors.New("a name is missing")
	case strings.ContainsAny(pattern, "()"):
		return errors.New("match takes tool names only: the program finds the arguments in tool_input")
	}
	for _, r := range pattern {
		if r != '*' && r != '_' && r != '-' && r != '.' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return fmt.Errorf("%q is not allowed here: write names joined by |, where * stands for any letters", r)
		}
	}
	return nil
}

func (m Match) checkName(event agent.HookEvent, pattern string, tools []string) error {
	var known []string
	switch event {
	case agent.HookPreToolUse, agent.HookPostToolUse, agent.HookPermissionRequest:
		if known = tools; strings.HasPrefix(pattern, "mcp__") || strings.HasPrefix(pattern, "*") {
			return nil
		}
	case agent.HookSubagentStart, agent.HookSubagentStop: // types can be added at any time
		return nil
	case agent.HookSessionStart:
		known = []string{KindStartup, KindResume}
	case agent.HookNotification:
		known = []string{KindQuestion, KindCompleted}
	case agent.HookStop, agent.HookNeedsInput, agent.HookAllEnded:
		return fmt.Errorf("a hook for %s has nothing to match: leave match out", event)
	}
	if len(known) == 0 || slices.ContainsFunc(known, Match(pattern).Matches) {
		return nil
	}
	if name, theirs := claudeTools()[pattern]; theirs && slices.Contains(known, name) {
		return fmt.Errorf("%q can never match; did you mean %q?", pattern, name)
	}
	return fmt.Errorf("%q can never match%s", pattern, words.DidYouMean(pattern, known))
}

// claudeTools maps Claude Code's tool names to ours, where the spelling gives no hint.
func claudeTools() map[string]string {
	return map[string]string{"Bash": "shell", "LS": "list", "MultiEdit": "edit", "Task": "agent", "TodoWrite": "todo", "WebFetch": "fetch"}
}
