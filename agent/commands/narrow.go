package commands

import (
	"slices"
	"strings"

	"pawl/agent/frontmatter"
	"pawl/agent/permission"
)

// ReadsAlways is the first of each narrowing: what only looks at the folder, and delegation, is
// never taken away, for other programs ask nobody about it either and their files do not list it.
const ReadsAlways = "read(*)"

// narrowing reads allowed-tools as the rules of what a run may do, beside looking at the folder.
// unknown are words that stand for nothing here.
func narrowing(f frontmatter.Field) (rules, unknown []string) {
	rules = []string{ReadsAlways}
	items := f.List
	if f.Is == frontmatter.Scalar {
		items = splitTools(f.Text)
	}
	for _, item := range items {
		found, known := toolRules(strings.Trim(item, " \"'"))
		if !known {
			unknown = append(unknown, item)
		}
		rules = append(rules, found...)
	}
	slices.Sort(rules[1:])
	return slices.Compact(rules), unknown
}

// splitTools splits a list of tools at commas and spaces, but not within brackets.
func splitTools(text string) []string {
	depth := 0
	return strings.FieldsFunc(text, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		return depth <= 0 && (r == ',' || r == ' ')
	})
}

// toolRules are the rules that a word of allowed-tools stands for: Bash(git add:*), Read, or a name
// of Pawl's own.
func toolRules(word string) (rules []string, known bool) {
	tool, of, bracket := strings.Cut(strings.TrimSuffix(word, ")"), "(")
	if !bracket {
		of = "*"
	}
	if server, found := strings.CutPrefix(tool, "mcp__"); found {
		if !strings.Contains(server, "__") {
			server += "__*"
		}
		return parsed("mcp(" + server + ")")
	}
	switch tool {
	case "Read", "Glob", "Grep", "LS", "NotebookRead", "TodoWrite", "TodoRead", "Task", "Agent", "Skill", "SlashCommand", "BashOutput", "KillShell", "KillBash", "AskUserQuestion", "ExitPlanMode",
		"read", "glob", "grep", "list", "todo", "agent", "skill", "shell_output", "shell_kill", "ask", "plan", "ToolSearch", "tool_search":
		return nil, true
	case "Bash", "shell":
		if prefix, found := strings.CutSuffix(of, ":*"); found {
			of = strings.TrimRight(prefix, " ") + " *"
		}
		return parsed("shell(" + of + ")")
	case "Edit", "Write", "MultiEdit", "NotebookEdit", "edit", "write":
		return parsed("edit(" + strings.TrimPrefix(strings.TrimPrefix(of, "./"), "/") + ")")
	case "WebFetch", "fetch":
		return parsed("fetch(" + strings.Replace(of, "domain:", "host:", 1) + ")")
	case "WebSearch", "web_search":
		return parsed("search(*)")
	}
	return nil, false
}

// parsed is a rule, if it is one.
func parsed(text string) ([]string, bool) {
	if _, err := permission.ParseRule(text); err != nil {
		return nil, false
	}
	return []string{text}, true
}
