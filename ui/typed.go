package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/completion"
	"pawl/ui/composer"
	"pawl/ui/draw"
	"pawl/ui/terminal"
	"pawl/ui/transcript"
)

// typedCommand is a command that is written where a message would be: a name behind a
// slash and, for some, words behind that.
type typedCommand struct {
	name  string
	takes bool // words, as in /compact keep the SQL
	lists bool // what there is to choose from, without words
	// onLine says that the palette offers it on a subagent's line too: it is about that one.
	onLine bool
	do     func(m *model, rest string) tea.Cmd
	// complete lists the words that it takes, where those are known; nil: they are not.
	complete func(m *model) []string
	// whole says that words are meant as they stand, listed or not; nil: none are.
	whole func(words string) bool
	// learn reads them where they stand outside; nil: they do not.
	learn func(m *model) tea.Cmd
	help  sanitize.Text
	// message says that it is sent as it stands: what it is for a model is decided elsewhere.
	message bool
}

// typedCommands are all of them. The help is drawn from here.
func typedCommands() []typedCommand {
	return []typedCommand{
		{name: "/agents", takes: true, lists: true, do: (*model).agentsTyped, help: "the subagents of this session and the available types"},
		{name: "/changes", do: (*model).changesTyped, help: "what was changed in files; in a subagent's view: by it"},
		{name: "/clear", do: (*model).clearTyped, help: "start a new session; this one is kept"},
		{name: "/compact", takes: true, do: (*model).compactTyped, help: "summarize the conversation so far"},
		{name: "/context", do: (*model).contextTyped, help: "what fills the model's context, part by part"},
		{name: "/copy", do: (*model).copyTyped, help: "copy the path of the newest export"},
		{name: "/cost", do: (*model).costTyped, help: "what the session has cost, run by run"},
		{name: "/denied", do: (*model).deniedTyped, help: "show what was denied in this session, and grant it"},
		{name: "/detach", do: (*model).detachTyped, help: "close this screen; the session goes on"},
		{name: "/diff", do: (*model).changesTyped, help: "the same as /changes"},
		{name: "/effort", takes: true, lists: true, complete: (*model).effortNames, do: (*model).effortTyped, help: "how much the model thinks in the next runs"},
		{name: "/exit", do: (*model).quitTyped, help: "the same as /quit"},
		{name: "/export", takes: true, lists: true, complete: (*model).exportWords, do: (*model).exportTyped, help: "export as md, html, json or trace, also brief or no-content, and to a FILE"},
		{name: "/fleet", do: (*model).fleetTyped, help: "all sessions of all folders on one screen"},
		{name: "/fork", takes: true, lists: true, do: (*model).forkTyped, help: "go on in a new session from here, or from a prompt; this one is kept"},
		{name: "/help", do: (*model).helpTyped, help: "all keys and commands"},
		{name: "/mcp", do: (*model).mcpTyped, help: "MCP servers and their errors"},
		{name: "/model", takes: true, lists: true, complete: func(m *model) []string { return m.modelNames }, whole: namesModel, learn: (*model).learnModels, do: (*model).modelTyped, help: "choose the model for the next runs"},
		{name: "/new", do: (*model).clearTyped, help: "the same as /clear"},
		{name: "/permissions", takes: true, lists: true, complete: (*model).modeNames, do: (*model).permissionsTyped, help: "the permission mode and the rules"},
		{name: "/quit", do: (*model).quitTyped, help: "quit; asks first while something runs"},
		{name: "/resume", takes: true, lists: true, do: (*model).sessionsTyped, help: "the same as /sessions"},
		{name: "/rewind", onLine: true, do: (*model).rewindTyped, help: "take the conversation, files or both back to before a prompt; of a subagent: its files"},
		{name: "/sessions", takes: true, lists: true, do: (*model).sessionsTyped, help: "switch to another session"},
		{name: "/split", onLine: true, do: (*model).splitTyped, help: "show a subagent's session beside the conversation, or over it again"},
		{name: "/status", do: (*model).statusTyped, help: "the session's model, mode, folder and usage"},
		{name: "/stop", do: (*model).stopTyped, help: "stop what is shown, like ctrl+c"},
		{name: "/theme", takes: true, lists: true, complete: func(*model) []string { return terminal.Themes() }, do: (*model).themeTyped, help: "choose the colours"},
		{name: "/undo", do: (*model).undoTyped, help: "take back what followed the last prompt"},
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
		at := typing
		if c.onLine {
			at |= atCard
		}
		lines = append(lines, binding{at: at, do: func(m *model) tea.Cmd { return c.do(m, "") }, show: shown, help: c.help})
	}
	return lines
}

// completable are the commands as a composer completes them.
func (m *model) completable() []completion.Command {
	all := m.allCommands()
	list := make([]completion.Command, len(all))
	for i, c := range all {
		list[i] = completion.Command{Name: c.name, Help: c.help, Words: c.complete != nil, Whole: c.whole, Message: c.message}
	}
	return list
}

// allCommands are the screen's own and then those of files, skills and servers, as they are now.
func (m *model) allCommands() []typedCommand {
	if m.options.Commands.Others == nil || m.recorded() {
		return m.commands
	}
	all := slices.Clone(m.commands)
	for _, o := range m.options.Commands.Others() {
		help := sanitize.Line(o.Description)
		if o.Hint != "" {
			help = draw.Sprintf("%s · %s", sanitize.Line(o.Hint), help)
		}
		name := "/" + o.Name
		all = append(all, typedCommand{
			name: name, takes: true, lists: o.Hint == "", message: true,
			help: draw.Sprintf("%s (%s)", help, sanitize.Line(o.Source)),
			do:   func(m *model, rest string) tea.Cmd { return m.sendAside(strings.TrimSpace(name + " " + rest)) },
		})
	}
	return all
}

// otherKeys are the commands of files, skills and servers as lines of the help.
func (m *model) otherKeys() []binding {
	var lines []binding
	for _, c := range m.allCommands()[len(m.commands):] {
		shown := sanitize.Line(c.name)
		if !c.lists {
			shown += " …"
		}
		begin := func(m *model) tea.Cmd {
			if c.lists {
				return c.do(m, "")
			}
			m.line().Splice(0, 0, composer.Piece{Text: c.name + " "}) // what stands there is not lost: its words
			return tea.Batch(m.edited(), m.suggest(true))
		}
		lines = append(lines, binding{at: typing, do: begin, show: shown, help: c.help})
	}
	return lines
}

// groups are the table of keys and what has no key and may change.
func (m *model) groups() []group {
	others := m.otherKeys()
	if len(others) == 0 {
		return m.keys
	}
	return append(slices.Clone(m.keys), group{"Commands of files, skills and servers", others})
}

func (m *model) commandNamed(name string) (typedCommand, bool) {
	all := m.allCommands()
	i := slices.IndexFunc(all, func(c typedCommand) bool { return c.name == name })
	if i < 0 {
		return typedCommand{}, false
	}
	return all[i], true
}

// splitCommand parts a line into the command it opens with and the rest. What has a
// second slash is a path, and what begins with a space is a message.
func splitCommand(line string) (name, rest string, ok bool) {
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
	if m.isOther(name) {
		return m.sendText(strings.TrimSpace(m.line().Text))
	}
	var known []string
	for _, c := range m.allCommands() {
		known = append(known, c.name)
		switch {
		case c.name != name:
		case rest != "" && !c.takes:
			m.say(draw.Failure, draw.Sprintf("%s takes no arguments; put a space before it to send it as a message", name))
			return nil
		default:
			return m.carryOutLine(c, rest)
		}
	}
	why := m.didYouMean(name, known)
	if here, ok := otherPrograms[name]; ok {
		why = "; " + here
	}
	m.say(draw.Failure, draw.Sprintf("%s is not a command%s (put a space before it to send it)", sanitize.Line(name), why))
	return nil
}

// carryOutLine carries out the command that the line is. One that does not work, as for a word that it
// does not know, is back in the line to be put right.
func (m *model) carryOutLine(c typedCommand, rest string) tea.Cmd {
	typed := retype{m.open, m.line().Text}
	m.line().Set("")
	edited := m.edited()
	m.unsay()
	done := c.do(m, rest)
	if m.notice.Tone == draw.Failure && rest != "" {
		m.composerOf(typed.session).Restore(typed.line)
	}
	return tea.Batch(edited, done)
}

// retype is a line that was typed to a session, for when it did not work; empty for none.
type retype struct {
	session lifecycle.SessionID
	line    string
}

// joinTyped is the line of a command with its words, empty where it had none: those are soon typed anew.
func joinTyped(name, words string) string {
	if words == "" {
		return ""
	}
	return name + " " + words
}

// giveLineBack puts a line that did not work back, before what has been typed since.
func (m *model) giveLineBack(typed retype) tea.Cmd {
	if typed.line == "" {
		return nil
	}
	m.composerOf(typed.session).Restore(typed.line)
	return m.edited()
}

// failedTyped says why what was typed did not work, and gives it back.
func (m *model) failedTyped(typed retype, err error) tea.Cmd {
	back := m.giveLineBack(typed)
	m.say(draw.Failure, sanitize.Line(err.Error()))
	return back
}

// isOther reports a command that is sent as a message.
func (m *model) isOther(name string) bool {
	is := m.options.Commands.IsOther
	return is != nil && is(name[1:]) && !slices.ContainsFunc(m.commands, func(c typedCommand) bool { return c.name == name })
}

// stopTyped stops the session that is shown, as Ctrl+C does.
func (m *model) stopTyped(string) tea.Cmd {
	if shell := m.runs.UserShell(m.open); shell.ID != "" {
		return m.do(lifecycle.Stop{Session: shell.Session, Cause: lifecycle.CauseCommand})
	}
	if !m.runs.Alive(m.open) && !m.isSending(m.open) {
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
	if m.runs.Working() == 0 && !m.waking {
		return m.quit()
	}
	m.dialog = m.quitDialog()
	return nil
}

// otherPrograms says what leads here to what a command of that name does in other programs.
var otherPrograms = map[string]sanitize.Text{
	"/approvals": "/permissions shows the mode and the rules",
	"/bash":      "! first in the line runs a command of your own",
	"/bashes":    "↓ leads to the commands that run in the background",
	"/bug":       "pawl doctor shows what is wrong here",
	"/branch":    "/fork goes on in a new session from here, or from a prompt",
	"/cancel":    "esc, ctrl+c or /stop stops what is running",
	"/config":    "settings are in config.toml; pawl doctor shows where",
	"/continue":  "/sessions lists the sessions of this folder",
	"/doctor":    "pawl doctor, in a shell, looks at everything",
	"/editor":    "ctrl+g opens your own editor",
	"/history":   "ctrl+r searches your earlier prompts",
	"/hooks":     "pawl doctor, in a shell, lists the hooks",
	"/keys":      "/help lists all keys",
	"/auth":      "pawl login NAME, in a shell, keeps the key of a provider; pawl login lists them",
	"/login":     "pawl login NAME, in a shell, keeps the key of a provider; pawl login lists them",
	"/logout":    "pawl logout NAME, in a shell, forgets the key of a provider",
	"/providers": "pawl login, in a shell, lists them and where each has its key",
	"/memory":    "lasting instructions go in AGENTS.md or CLAUDE.md; /context shows which are read",
	"/mode":      "shift+tab changes the permission mode, /permissions lists all",
	"/models":    "/model lists them",
	"/plan":      "shift+tab leads to plan mode",
	"/ps":        "/agents lists the subagents, ctrl+t shows what ran when",
	"/q":         "/quit quits",
	"/reset":     "/clear begins a new session",
	"/review":    "ask for one in your own words; /changes takes your comments on lines",
	"/sandbox":   "pawl doctor, in a shell, shows what restricts commands",
	"/save":      "sessions are saved as they go; /export writes one to a file",
	"/settings":  "settings are in config.toml; pawl doctor shows where",
	"/share":     "/export html writes one page",
	"/skills":    "type / to see them with the commands; pawl skills, in a shell, lists them with what is wrong",
	"/commands":  "type / to see them; pawl skills, in a shell, lists them with what is wrong",
	"/task":      "/agents lists the subagents; ask for one in your own words",
	"/tasks":     "/agents lists the subagents, ctrl+t shows what ran when",
	"/usage":     "/cost shows it, run by run",
	"/version":   "pawl --version, in a shell, prints it",
	"/vim":       "ctrl+g opens your own editor",
}

// statusTyped says in what state the session is.
func (m *model) statusTyped(string) tea.Cmd {
	used := m.runs.Spent()
	status := draw.Sprintf("model %s · permission mode %s · %s · %s tokens", m.modelWords(), m.options.Mode, sanitize.Line(m.options.Folder), draw.Tokens(used.Tokens()))
	for _, more := range []sanitize.Text{draw.Dollars(used.Cost), m.fullness(), draw.Sprintf("%s", words.CountOf(m.runs.Working(), "run active", "runs active")), draw.Sprintf("session %s", m.runs.Root())} {
		if more != "" {
			status = joinWords(status, more)
		}
	}
	m.remark(status)
	return nil
}

// unavailable says that a command has nothing to work with.
func (m *model) unavailable(what sanitize.Text) tea.Cmd {
	m.say(draw.Quiet, draw.Sprintf("nothing here to %s", what))
	return nil
}

// didYouMean is the end of a line about a word that is none of these: the nearest of them.
func (m *model) didYouMean(word string, names []string) sanitize.Text {
	if m.options.Commands.Nearest == nil || len(names) == 0 {
		return ""
	}
	near := m.options.Commands.Nearest(word, names)
	if near == "" {
		return ""
	}
	return draw.Sprintf("; did you mean %s?", near)
}

// remark adds a line about the session to what is shown of it. It is no record. Where
// nothing has been said yet the answer to the key is enough.
func (m *model) remark(text sanitize.Text) {
	root := m.talk(m.runs.Root())
	m.say(draw.Quiet, text)
	if len(root.Blocks) == 0 {
		return
	}
	b := &transcript.Block{Kind: transcript.Note, Seq: m.options.Snapshot.Seq, At: m.clock.Read(), Tone: draw.Quiet, Sign: draw.Dot, Text: string(text)}
	if n := len(root.Records); n > 0 {
		b.Seq = root.Records[n-1].Seq
	}
	root.Remarks = append(root.Remarks, root.Add(b))
	m.unsay()
}
