package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
)

// editingKeys are those of readline that are no other's here, for every field that
// is a composer.
func editingKeys() []binding {
	var lines []binding
	add := func(show, help sanitize.Text, change func(*composer), keys ...string) {
		lines = append(lines, binding{keys: keys, at: typing, do: edit(change), show: show, help: help})
	}
	add("←, →", "a character", func(c *composer) { c.move(c.before(c.at)) }, "left", "ctrl+b")
	add("", "", func(c *composer) { c.move(c.after(c.at)) }, "right", "ctrl+f")
	add("alt+b, alt+f", "a word", func(c *composer) { c.move(c.wordLeft(c.at, worded)) }, "alt+b", "alt+left", "ctrl+left")
	add("", "", func(c *composer) { c.move(c.wordRight(c.at, worded)) }, "alt+f", "alt+right", "ctrl+right")
	add("ctrl+a, ctrl+e", "the ends of the line", func(c *composer) { c.move(c.lineStart(c.at)) }, "ctrl+a", "home")
	add("", "", func(c *composer) { c.move(c.lineEnd(c.at)) }, "ctrl+e", "end")
	add("alt+<, alt+>", "the ends of the text", func(c *composer) { c.move(0) }, "alt+<", "alt+shift+,")
	add("", "", func(c *composer) { c.move(len(c.text)) }, "alt+>", "alt+shift+.")
	add("", "", func(c *composer) { c.delete(c.before(c.at), c.at, false) }, "backspace", "ctrl+h", "shift+backspace")
	add("", "", func(c *composer) { c.delete(c.at, c.after(c.at), false) }, "delete")
	lines = append(lines, binding{keys: []string{"ctrl+d"}, at: typing, do: (*model).eat})
	add("ctrl+w", "cut what stands before, to a space", func(c *composer) { c.delete(c.wordLeft(c.at, spaced), c.at, true) }, "ctrl+w")
	add("alt+backspace", "cut the word before; alt+d: after", func(c *composer) { c.delete(c.wordLeft(c.at, worded), c.at, true) }, "alt+backspace", "ctrl+backspace", "ctrl+alt+h")
	add("", "", func(c *composer) { c.delete(c.at, c.wordRight(c.at, worded), true) }, "alt+d", "alt+delete", "ctrl+delete")
	add("ctrl+u, ctrl+k", "cut to the start or the end of the line", func(c *composer) { c.delete(c.lineStart(c.at), c.at, true) }, "ctrl+u")
	add("", "", func(c *composer) { c.delete(c.at, c.lineEnd(c.at), true) }, "ctrl+k")
	add("alt+u, alt+l, alt+c", "the word in capitals, small, with a capital", func(c *composer) { c.recase(strings.ToUpper) }, "alt+u")
	add("", "", func(c *composer) { c.recase(strings.ToLower) }, "alt+l")
	add("", "", func(c *composer) { c.recase(capital) }, "alt+c")
	add("alt+y", "after ctrl+y: what was cut before that", (*composer).bringOlder, "alt+y")
	return lines
}

// composingKeys are those that come before what the same keys do elsewhere.
func composingKeys() []binding {
	return []binding{
		{keys: []string{"ctrl+r"}, at: typing, do: (*model).openRecall, help: "search earlier prompts; esc esc on an empty line too"},
		{keys: []string{"ctrl+_", "ctrl+/", "ctrl+shift+-"}, at: typing, do: (*model).undo, help: "undo"},
		{keys: []string{"ctrl+o"}, at: typing, when: (*model).atPaste, do: (*model).turnPaste, help: "at a folded paste: open it; in it: fold it again"},
	}
}

func (m *model) undo() tea.Cmd {
	if !m.line().undo() {
		m.say(quiet, "nothing to undo")
		return nil
	}
	return m.edited()
}

// atPaste reports whether the cursor is at a paste.
func (m *model) atPaste() bool {
	_, there := m.line().touched()
	return there
}

func (m *model) pasteHint() sanitize.Text {
	i, there := m.line().touched()
	switch {
	case !there:
		return ""
	case m.line().chips[i].open:
		return "ctrl+o folds the paste"
	}
	return "ctrl+o opens the paste"
}

func (m *model) turnPaste() tea.Cmd {
	m.disarm()
	line := m.line()
	if i, there := line.touched(); there {
		line.turn(i)
	}
	m.changed()
	return nil
}
