package ui

import (
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/ui/composer"
	"pawl/ui/list"
)

// completion is the list above a composer while something is typed that it can
// finish: a file behind @, a command behind / at the start, or a command's word. It
// holds for the line as it was when the list was asked for; any other line has none.
type completion struct {
	session lifecycle.SessionID
	text    string // of the line
	cursor  int
	part    fragment
	shut    bool // by Esc, for as long as the same part is typed

	base string   // stands before all of them, and is typed
	of   []string // what there is to choose from
	list list.Shortlist
	due  bool // the list is still that of what was typed before

	marked bool // by the arrows
}

// offer is what a completion chooses from.
type offer uint8

const (
	offerNothing offer = iota
	offerFiles
	offerCommands
	offerWords // of a command
)

// fragment is the piece of a line that is completed.
type fragment struct {
	offer offer
	from  int    // where in the line it begins
	words string // what is typed of it, up to the cursor
	of    typed  // of words: their command
}

// is says that both are the same piece, however much of it is typed.
func (f fragment) is(other fragment) bool {
	return f.offer == other.offer && f.from == other.from && f.of.name == other.of.name
}

func completionKeys() []binding {
	take := func(enter bool) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.takeCompletion(enter) }
	}
	return []binding{
		{keys: []string{"enter"}, at: atCompletion, do: take(true), show: "enter, tab", help: "accept the selection; enter runs a command"},
		{keys: []string{"tab"}, at: atCompletion, do: take(false)},
		{keys: []string{"up", "shift+tab"}, at: atCompletion, do: func(m *model) tea.Cmd { return m.markCompletion(-1) }, show: "↑, ↓", help: "select another"},
		{keys: []string{"down"}, at: atCompletion, do: func(m *model) tea.Cmd { return m.markCompletion(1) }},
		{keys: []string{"esc"}, at: atCompletion, do: (*model).shutCompletion, help: "close the list; the text stays"},
	}
}

// composing is the place of the composer that is shown.
func (m *model) composing() place {
	if m.open != m.runs.Root() {
		return atView
	}
	return atComposer
}

// completing says that the list stands.
func (m *model) completing() bool {
	c, line := &m.completion, m.line()
	return c.session == m.open && !c.shut && c.text == line.Text && c.cursor == line.At && len(c.list.Kept) > 0
}

// suggest follows a change of the line. Only typing opens the list: who moves about
// in the text, or brings an earlier one back, is left alone.
func (m *model) suggest(typing bool) tea.Cmd {
	c, line := &m.completion, m.line()
	now := m.partAt(line)
	begun := typing && (now.words == "" || now.words == "/") // by its sign, whatever was here before
	same := c.session == m.open && c.part.is(now) && !begun
	switch {
	case now.offer == offerNothing, !same && !typing:
		*c = completion{}
		return nil
	case same && c.shut:
		return nil
	case !same:
		*c = completion{}
	}
	c.session, c.text, c.cursor, c.part = m.open, line.Text, line.At, now
	switch now.offer {
	case offerFiles:
		return m.suggestFiles(!same)
	case offerCommands:
		m.narrowTo("/", m.commandNames())
	case offerWords:
		m.narrowTo("", now.of.complete(m))
		if !same && now.of.learn != nil {
			return now.of.learn(m)
		}
	case offerNothing:
	}
	return nil
}

// suggestAgain follows words that have become known to a command.
func (m *model) suggestAgain() {
	if c := &m.completion; c.part.offer == offerWords {
		m.narrowTo("", c.part.of.complete(m))
		m.changed()
	}
}

// offhand says that the list is only shown, and nothing in it marked: Enter means the
// command as it stands, without a word of its own or with a whole one.
func (c *completion) offhand() bool {
	words, whole := c.part.words, c.part.of.whole
	return c.part.offer == offerWords && !c.marked && (words == "" || whole != nil && whole(words))
}

// narrowTo narrows a short list at once.
func (m *model) narrowTo(base string, of []string) {
	c := &m.completion
	c.base, c.of, c.marked = base, of, false
	c.list.Narrow(strings.TrimPrefix(c.part.words, base), of)
}

// partAt finds what is being typed at the cursor.
func (m *model) partAt(line *composer.Composer) fragment {
	before := line.Text[:line.At]
	if name, rest, spaced := strings.Cut(before, " "); !m.editing() && strings.HasPrefix(name, "/") && !strings.ContainsAny(name[1:], "/\n\t") {
		if !spaced {
			return fragment{offer: offerCommands, words: before}
		}
		if c, known := m.commandNamed(name); known && c.complete != nil && !strings.Contains(rest, "\n") {
			return fragment{offer: offerWords, from: len(name) + 1, words: rest, of: c}
		}
		if _, known := m.commandNamed(name); known {
			return fragment{}
		}
	}
	if m.options.Files == nil {
		return fragment{}
	}
	start, name, ok := agent.MentionAt(line.Text, line.At)
	if !ok {
		return fragment{}
	}
	return fragment{offer: offerFiles, from: start, words: name}
}

func (m *model) commandNames() []string {
	var names []string
	for _, c := range m.commands {
		names = append(names, strings.TrimPrefix(c.name, "/"))
	}
	return names
}

func (m *model) commandNamed(name string) (typed, bool) {
	i := slices.IndexFunc(m.commands, func(c typed) bool { return c.name == name })
	if i < 0 {
		return typed{}, false
	}
	return m.commands[i], true
}

func (m *model) markCompletion(by int) tea.Cmd {
	c := &m.completion
	if by < 0 || !c.offhand() { // down to the first
		c.list.Step(by)
	}
	c.marked = true
	m.changed()
	return nil
}

func (m *model) shutCompletion() tea.Cmd {
	m.disarm()
	m.completion.shut = true
	m.changed()
	return nil
}

// takeCompletion puts what is marked in the place of what is typed of it. With
// Enter a command that needs no more words is carried out.
func (m *model) takeCompletion(enter bool) tea.Cmd {
	c := &m.completion
	m.catchUp()
	i, ok := c.list.Chosen()
	if !ok || enter && c.offhand() {
		*c = completion{}
		if b := m.find("enter", m.composing()); enter && b != nil {
			return b.do(m)
		}
		return nil
	}
	chosen := c.base + c.of[i]
	switch c.part.offer {
	case offerFiles:
		return m.takeFile(chosen)
	case offerCommands:
		return m.takeCommand(chosen, enter)
	case offerWords:
		m.replace(c.part.from, chosen)
		if enter {
			return m.send()
		}
		return m.edited()
	case offerNothing:
	}
	return nil
}

// takeCommand takes a name. Enter carries it out, unless it waits for words that only
// the user knows; one that is typed in full was meant as it stands.
func (m *model) takeCommand(name string, enter bool) tea.Cmd {
	c, _ := m.commandNamed(name)
	whole := m.completion.part.words == name
	m.replace(0, name)
	switch {
	case enter && (whole || !c.takes || c.lists):
		return m.send()
	case c.takes:
		m.line().Insert(" ")
	}
	return tea.Batch(m.edited(), m.suggest(true))
}

// replace writes over what is typed, and over the rest of a name at the cursor.
func (m *model) replace(from int, with string) {
	line := m.line()
	rest := strings.TrimLeftFunc(line.Text[line.At:], func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-/", r)
	})
	line.Delete(from, len(line.Text)-len(rest), false)
	line.Insert(with)
	m.completion = completion{}
}
