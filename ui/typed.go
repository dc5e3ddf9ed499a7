package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// typed is a command that is written where a message would be: a name behind a
// slash and, for some, words behind that.
type typed struct {
	name  string
	takes bool // words, as in /compact keep the SQL
	lists bool // what there is to choose from, without words
	do    func(m *model, rest string) tea.Cmd
	// complete lists the words that it takes, where those are known; nil: they are not.
	complete func(m *model) []string
	// whole says that words are meant as they stand, listed or not; nil: none are.
	whole func(words string) bool
	// learn reads them where they stand outside; nil: they do not.
	learn func(m *model) tea.Cmd
	help  sanitize.Text
}

// typedCommands are all of them. The help is drawn from here.
func typedCommands() []typed {
	return []typed{
		{name: "/agents", takes: true, lists: true, do: (*model).agentsTyped, help: "the subagents of this session and the available types"},
		{name: "/clear", do: (*model).clearTyped, help: "start a new session; this one is kept"},
		{name: "/compact", takes: true, do: (*model).compactTyped, help: "summarize the conversation so far"},
		{name: "/copy", do: (*model).copyTyped, help: "copy the path of the newest export"},
		{name: "/cost", do: (*model).costTyped, help: "what the session has cost, run by run"},
		{name: "/denied", do: (*model).deniedTyped, help: "show what was denied in this session, and grant it"},
		{name: "/diff", do: (*model).diffTyped, help: "how to see the session's changes"},
		{name: "/exit", do: (*model).quitTyped, help: "the same as /quit"},
		{name: "/export", takes: true, lists: true, complete: (*model).exportWords, do: (*model).exportTyped, help: "export as md, html, json or trace, also brief or no-content, and to a FILE"},
		{name: "/help", do: (*model).helpTyped, help: "all keys and commands"},
		{name: "/mcp", do: (*model).mcpTyped, help: "MCP servers and their errors"},
		{name: "/model", takes: true, lists: true, complete: func(m *model) []string { return m.modelNames }, whole: namesModel, learn: (*model).learnModels, do: (*model).modelTyped, help: "choose the model for the next runs"},
		{name: "/new", do: (*model).clearTyped, help: "the same as /clear"},
		{name: "/permissions", takes: true, lists: true, complete: (*model).modeNames, do: (*model).permissionsTyped, help: "the permission mode and the rules"},
		{name: "/quit", do: (*model).quitTyped, help: "quit; asks first while something runs"},
		{name: "/resume", takes: true, lists: true, do: (*model).sessionsTyped, help: "the same as /sessions"},
		{name: "/sessions", takes: true, lists: true, do: (*model).sessionsTyped, help: "switch to another session"},
		{name: "/status", do: (*model).statusTyped, help: "the session's model, mode, folder and usage"},
		{name: "/stop", do: (*model).stopTyped, help: "stop what is shown, like ctrl+c"},
		{name: "/theme", takes: true, lists: true, complete: (*model).themeNames, do: (*model).themeTyped, help: "choose the colours"},
	}
}

// typedKeys are the commands as lines of the help: no key leads to them.
func typedKeys() []binding {
	var lines []binding
	for _, c := range typedCommands() {
		shown := sanitize.Text(c.name)
		if c.takes {
			shown += " …"
		}
		lines = append(lines, binding{at: typing, do: func(m *model) tea.Cmd { return c.do(m, "") }, show: shown, help: c.help})
	}
	return lines
}

// slashed parts a line into the command it opens with and the rest. What has a
// second slash is a path, and what begins with a space is a message.
func slashed(line string) (name, rest string, ok bool) {
	if !strings.HasPrefix(line, "/") {
		return "", "", false
	}
	name = strings.Fields(line)[0]
	if len(name) == 1 || strings.Contains(name[1:], "/") {
		return "", "", false
	}
	return name, strings.TrimSpace(line[len(name):]), true
}

// command carries a typed command out. One that is none stays in the line: it was
// hardly meant for the model.
func (m *model) command(name, rest string) tea.Cmd {
	var known []string
	for _, c := range m.commands {
		known = append(known, c.name)
		switch {
		case c.name != name:
		case rest != "" && !c.takes:
			m.say(draw.Failure, draw.Sprintf("%s takes no arguments; put a space before it to send it as a message", name))
			return nil
		default:
			m.line().Set("")
			return tea.Batch(m.edited(), c.do(m, rest))
		}
	}
	why := m.meant(name, known)
	if here, ok := elsewhere[name]; ok {
		why = "; " + here
	}
	m.say(draw.Failure, draw.Sprintf("%s is not a command%s (put a space before it to send it)", sanitize.Line(name), why))
	return nil
}

// stopTyped stops the session that is shown, as Ctrl+C does.
func (m *model) stopTyped(string) tea.Cmd {
	if !m.runs.Alive(m.open) {
		m.say(draw.Quiet, "nothing is running here")
		return nil
	}
	return m.do(lifecycle.Stop{Session: m.open, Cause: lifecycle.CauseCommand})
}

// compactTyped sums the conversation up that is shown.
func (m *model) compactTyped(rest string) tea.Cmd {
	return m.do(lifecycle.Compact{Session: m.open, Instructions: rest})
}

func (m *model) helpTyped(string) tea.Cmd { return m.openHelp() }

// quitTyped quits, as the second Ctrl+C does.
func (m *model) quitTyped(string) tea.Cmd {
	if m.runs.Working() == 0 {
		return m.quit()
	}
	m.dialog = m.quitting()
	m.changed()
	return nil
}
