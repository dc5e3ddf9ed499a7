package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/composer"
)

// place is what has the focus: where a key means something.
type place uint32

// The places, in the order in which they come before one another.
const (
	atQuestion place = 1 << iota
	atDialog
	atHelp
	atCard
	atView     // the composer of a subagent's view
	atComposer // the composer of the root session
	atDashboard
	atCompletion // the list above a composer
	atQueue      // a message that waits
	atPicker     // a list to choose from
	atReason     // a no, with words
	atRecall     // the search in earlier prompts
	atBlock      // a block of the conversation
	atSearch     // the search in it
	atDenials    // what was denied, to grant it
	atRecorded   // the line of a recording, in the place of a composer
	atFilter     // what the dashboard keeps
	atChanges    // what was changed in files
	atComment    // a comment on a line of that
	atRewind     // what is taken back, and to where

	typing  = atView | atComposer
	working = typing | atCard | atQueue
	fields  = atPicker | atReason | atRecall | atSearch | atFilter | atComment // lines that are no composer

	everywhere = ^place(0) // whatever has the focus

	// where the answer to a key is not seen: what was said meanwhile is still to be read
	covering = atDialog | atPicker | atHelp | atRecall | atDenials | atRewind

	answering = atQuestion | atDialog // what a person has to answer

	// shown above the composer; the subagents' lines stay in view, so that a question can be answered
	// with what goes on in sight
	covered = answering | atReason | atDenials | atRewind
)

// binding is one line of the table of keys: which keys, where and when they
// count, what they do, and what the help says. A later line with the same key
// counts where an earlier one does not.
type binding struct {
	keys []string
	at   place
	when func(*model) bool // nil: always
	do   func(*model) tea.Cmd
	// moves says that the key of a letter only moves something, and may be kept down.
	moves bool
	// leads says that the key of a letter acts at once: it only leads to a line, which takes
	// what is typed behind it.
	leads bool
	help  sanitize.Text // empty: not in the help
	show  sanitize.Text // the keys as people read them; empty: the first of keys
}

// group is a heading of the help with its keys.
type group struct {
	title    sanitize.Text
	bindings []binding
}

// table is all keys of the screen, first those that a newcomer needs first. The help
// is drawn from it.
func table() []group {
	return []group{
		{"Writing", slices.Concat(newLineKeys(), queueTypingKeys(), writingKeys())},
		{"More for writing", append(editorKeys(), composingKeys()...)},
		{"Stopping", stoppingKeys()},
		{"Moving", movingKeys()},
		{"On a subagent's line", cardKeys()},
		{"What was denied", denialKeys()},
		{"A question", append(questionKeys(), reasonKeys()...)},
		{"Typed as a message", typedKeys()},
		{"The session", slices.Concat(paletteKeys(), modeKeys(), sessionKeys(), detachKeys())},
		{"Reading", readingKeys()},
		{"Searching", searchKeys()},
		{"Completing @file and /command", completionKeys()},
		{"A message that waits", queueKeys()},
		{"Searching earlier prompts", recallKeys()},
		{"The dashboard", dashboardKeys()},
		{"Changes of files", changesKeys()},
		{"Taking back", rewindKeys()},
		{"A list", pickerKeys()},
		{"A dialog", dialogKeys()},
		{"Editing", also(atReason|atComment, editingKeys())},
	}
}

// find is the binding of a key at a place, nil where it has none.
func (m *model) find(key string, at place) *binding {
	for _, g := range m.keys {
		for i := range g.bindings {
			b := &g.bindings[i]
			if b.at&at == 0 || b.when != nil && !b.when(m) {
				continue
			}
			for _, k := range b.keys {
				if k == key {
					return b
				}
			}
		}
	}
	return nil
}

func writingKeys() []binding {
	return []binding{
		{keys: []string{"enter"}, at: typing, when: func(m *model) bool { return !m.canContinue() }, do: (*model).send, help: "send; a busy session gets it at its next step"},
		{keys: []string{"enter"}, at: typing, when: (*model).canContinue, do: func(m *model) tea.Cmd { return m.resume(m.open) }, show: "enter", help: "on an empty composer: continue a run that was interrupted, or that the model server failed"},
		{keys: []string{"alt+enter", "shift+enter", "ctrl+j"}, at: typing, do: edit(func(c *composer.Composer) { c.Insert("\n") }), show: "alt+enter, ctrl+j", help: "a new line; \\ and enter too"},
		{at: typing, do: edit(func(c *composer.Composer) { c.Insert(composer.ShellMark) }), show: "!", help: "first in the line: run a command of your own"},
		{keys: []string{"ctrl+y"}, at: typing, do: edit((*composer.Composer).Yank), help: "restore what was cleared or cut"},
		{keys: []string{"up"}, at: typing, do: (*model).up, show: "↑", help: "on the first line: earlier prompts"},
		{keys: []string{"down"}, at: typing, do: (*model).down, show: "↓", help: "on the last line: the subagents"},
	}
}

func stoppingKeys() []binding {
	return []binding{
		{keys: []string{"esc", "ctrl+c"}, at: typing, when: (*model).hasUserShell, do: (*model).stopUserShell},
		{keys: []string{"esc"}, at: typing, when: func(m *model) bool { return m.line().Shell() }, do: (*model).leaveShell},
		{keys: []string{"esc"}, at: atComposer, do: (*model).escComposer, help: "stop the waiting subagents, else this run, else clear the line"},
		{keys: []string{"esc"}, at: atView | atCard, do: (*model).escSubagent, show: "esc esc", help: "on a subagent's line or view: stop it"},
		{keys: []string{"ctrl+c"}, at: atComposer, do: (*model).interruptComposer, help: "stop this run; idle: clear the line, else twice: quit"},
		{keys: []string{"ctrl+d"}, at: typing, when: (*model).atEndOfInput, do: (*model).endInput, help: "on an empty line: quit"},
		{keys: []string{"ctrl+c"}, at: atView | atCard, do: (*model).interruptSubagent, show: "ctrl+c", help: "on a subagent's line or view: stop it at once"},
		{at: typing, do: (*model).stopUserShell, show: "esc, ctrl+c", help: "while it runs: stop the command that you ran with !"},
		{keys: []string{"ctrl+x"}, at: everywhere &^ atDialog, do: (*model).askStopAll, help: "stop all runs of the session, after confirming"},
		{keys: []string{"ctrl+b"}, at: working | atQuestion, when: (*model).hasForeground, do: (*model).detachForeground, help: "send the waiting subagents to the background"},
	}
}

func movingKeys() []binding {
	return []binding{
		{keys: []string{"tab"}, at: working | atBlock, when: (*model).sideBySide, do: (*model).otherSide, help: "side by side: to the other side"},
		{keys: []string{"tab"}, at: working, do: func(m *model) tea.Cmd { return m.cycle(1) }, show: "tab, alt+↓", help: "the next subagent"},
		{keys: []string{"alt+down"}, at: typing | atCard, do: func(m *model) tea.Cmd { return m.cycle(1) }},
		{keys: []string{"alt+up"}, at: typing | atCard, do: func(m *model) tea.Cmd { return m.cycle(-1) }, show: "alt+↑", help: "the one before"},
		{keys: []string{"left"}, at: atView, when: (*model).lineEmpty, do: (*model).back, show: "←", help: "on an empty composer: leave the subagent's view, or close it beside the conversation"},
		{keys: []string{"left"}, at: atCard, do: (*model).toComposer},
		{keys: []string{"pgup"}, at: working | atHelp | atQuestion | atDialog, do: func(m *model) tea.Cmd { return m.page(-1) }, show: "pgup, pgdn", help: "scroll; the mouse wheel does too"},
		{keys: []string{"pgdown"}, at: working | atHelp | atQuestion | atDialog, do: func(m *model) tea.Cmd { return m.page(1) }},
		{keys: []string{"ctrl+end"}, at: working, do: (*model).toEnd, help: "back to the newest line"},
		{keys: []string{"ctrl+o"}, at: working | atQuestion, do: (*model).toggleDetails, help: "open or fold outputs and thoughts"},
		{keys: []string{"?"}, at: typing, when: (*model).lineEmpty, do: (*model).openHelp, help: "on an empty composer: this help"},
		{keys: []string{"?"}, at: atCard | atDashboard, do: (*model).openHelp},
		{keys: []string{"esc", "ctrl+c", "?", "q", "enter"}, at: atHelp, do: (*model).closeHelp},
		{keys: []string{"up"}, at: atQuestion, when: (*model).onDashboard, do: func(m *model) tea.Cmd { return m.moveRow(-1) }},
		{keys: []string{"down"}, at: atQuestion, when: (*model).onDashboard, do: func(m *model) tea.Cmd { return m.moveRow(1) }},
		{keys: []string{"up"}, at: atHelp | atQuestion, do: func(m *model) tea.Cmd { return m.scroll(-1) }},
		{keys: []string{"down"}, at: atHelp | atQuestion, do: func(m *model) tea.Cmd { return m.scroll(1) }},
	}
}

func cardKeys() []binding {
	return []binding{
		{keys: []string{"up"}, at: atCard, do: func(m *model) tea.Cmd { return m.nextCard(-1) }, show: "↑, ↓", help: "previous or next; past the last: the composer"},
		{keys: []string{"down"}, at: atCard, do: func(m *model) tea.Cmd { return m.nextCard(1) }},
		{keys: []string{"enter", "right"}, at: atCard, do: (*model).openCard, help: "open its session; on several that completed: show each"},
		{keys: []string{"m"}, at: atCard | atDashboard, when: offers("m"), do: (*model).writeTo, help: "write it a message"},
		{keys: []string{"b"}, at: atCard | atDashboard, when: offers("b"), do: (*model).detachCard, help: "send it to the background"},
		{keys: []string{"x"}, at: atCard | atDashboard, when: offers("x"), do: (*model).stopCard, show: "x x", help: "stop it"},
		{keys: []string{"r"}, at: atCard | atDashboard, when: offers("r"), do: func(m *model) tea.Cmd { return m.resume(m.target()) }, help: "continue it if it was interrupted"},
		{keys: []string{"g"}, at: atCard | atDashboard, when: offers("g"), do: (*model).grant, help: "show what was denied, and grant it"},
		{keys: []string{"w"}, at: atCard | atDashboard, when: offers("w"), do: (*model).waitOn, help: "keep waiting for it when it is overdue"},
		{keys: []string{"l"}, at: atCard, when: offers("l"), do: (*model).changesOfCard, help: "show what it changed in files"},
		{at: atCard, do: (*model).toComposer, show: "other letters", help: "are typed in the composer, which takes the focus"},
		{keys: []string{"backspace", "delete"}, at: atCard | atDashboard, do: (*model).putCardAway, show: "backspace, del", help: "hide its line after it has ended, or all that completed"},
	}
}

func dialogKeys() []binding {
	choose := func(key string) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.choose(key) }
	}
	return []binding{
		{keys: []string{"esc", "ctrl+c"}, at: atDialog, do: (*model).closeDialog, help: "close it"},
		{keys: []string{"up", "shift+tab", "left"}, at: atDialog, do: func(m *model) tea.Cmd { return m.pick(-1) }, show: "↑, ↓, enter", help: "choose"},
		{keys: []string{"down", "tab", "right"}, at: atDialog, do: func(m *model) tea.Cmd { return m.pick(1) }},
		{keys: []string{"enter"}, at: atDialog, do: choose("")},
		{keys: []string{"1"}, at: atDialog, when: has(1), do: chooseNth(1), show: "1, 2, 3", help: "choose by its number; its letter does too"},
		{keys: []string{"2"}, at: atDialog, when: has(2), do: chooseNth(2)},
		{keys: []string{"3"}, at: atDialog, when: has(3), do: chooseNth(3)},
		{keys: []string{"4"}, at: atDialog, when: has(4), do: chooseNth(4)},
		{keys: []string{"l"}, at: atDialog, when: offered("l"), do: choose("l")},
		{keys: []string{"w"}, at: atDialog, when: offered("w"), do: choose("w")},
		{keys: []string{"x"}, at: atDialog, when: offered("x"), do: choose("x")},
		{keys: []string{"y"}, at: atDialog, when: offered("y"), do: choose("y")},
		{keys: []string{"n"}, at: atDialog, when: func(m *model) bool { return m.dialog.Denies() }, do: (*model).closeDialog},
	}
}

func sessionKeys() []binding {
	return []binding{
		{keys: []string{"ctrl+s"}, at: working, do: (*model).export, help: "export the session and show where"},
		{keys: []string{"ctrl+l"}, at: everywhere, do: func(*model) tea.Cmd { return tea.ClearScreen }, help: "redraw the screen"},
		{keys: []string{"ctrl+z"}, at: everywhere, do: (*model).suspend, help: "suspend; fg brings it back"},
	}
}

// edit makes of a key a change of the composer.
func edit(change func(*composer.Composer)) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		if m.asking.reason != nil {
			return m.editReason(change)
		}
		if m.review.writing.Typing() {
			return m.editComment(change)
		}
		change(m.line())
		return tea.Batch(m.edited(), m.suggest(false))
	}
}
