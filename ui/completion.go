package ui

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"pawl/agent"
	"pawl/ui/completion"
	"pawl/ui/composer"
	"pawl/ui/draw"
)

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

// typedLine is the composer that is shown, as completions see it.
func (m *model) typedLine() completion.Line {
	line := m.line()
	return completion.Line{Session: m.open, Text: line.Text, Cursor: line.At}
}

// completing says that the list stands.
func (m *model) completing() bool { return m.completion.Stands(m.typedLine()) }

// suggest follows a change of the line.
func (m *model) suggest(typing bool) tea.Cmd {
	l, line := &m.completion, m.typedLine()
	var commands []completion.Command
	if strings.HasPrefix(line.Text, "/") && !m.editing() { // else a message, whatever it begins with
		commands = m.completable()
	}
	part := completion.PartAt(line.Text, line.Cursor, commands, m.options.Files != nil && !m.line().Shell())
	wanted, opened := l.Follow(line, part, typing)
	if !wanted {
		return nil
	}
	switch part.Kind {
	case completion.Files:
		return m.suggestFiles(opened)
	case completion.Commands:
		l.OfferCommands(commands)
	case completion.Words:
		command, _ := m.commandNamed(part.Command.Name)
		l.Offer(command.complete(m))
		if opened && command.learn != nil {
			return command.learn(m)
		}
	case completion.Nothing:
	}
	return nil
}

// suggestFiles asks for the names of the folder, and for what fits of them.
func (m *model) suggestFiles(opened bool) tea.Cmd {
	m.files.Of(m.runs.Latest(m.open).Folder)
	var reading tea.Cmd
	if ctx, read := m.ctx, m.options.Files; opened {
		reading = m.files.Read(m.clock.Read(), func(folder string) []string { return read(ctx, folder) })
	}
	return tea.Batch(reading, m.completion.NarrowFiles(&m.files))
}

// learnOfFiles takes in what a completion has found.
func (m *model) learnOfFiles(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case completion.Found:
		return m.filesFound(msg)
	case completion.Narrowed:
		m.completion.Take(msg)
	}
	return nil
}

func (m *model) filesFound(found completion.Found) tea.Cmd {
	if !m.files.Take(found, m.clock.Read()) || m.completion.Part.Kind != completion.Files {
		return nil
	}
	return m.completion.NarrowFiles(&m.files)
}

// suggestAgain follows words that have become known to a command.
func (m *model) suggestAgain() {
	if l := &m.completion; l.Part.Kind == completion.Words {
		command, _ := m.commandNamed(l.Part.Command.Name)
		l.Offer(command.complete(m))
	}
}

func (m *model) markCompletion(by int) tea.Cmd {
	m.completion.Mark(by)
	return nil
}

func (m *model) shutCompletion() tea.Cmd {
	m.completion.Shut()
	return nil
}

// takeCompletion puts what is marked in the place of what is typed of it. With
// Enter a command that needs no more words is carried out.
func (m *model) takeCompletion(enter bool) tea.Cmd {
	l := &m.completion
	l.CatchUp(&m.files)
	chosen, ok := l.Chosen()
	if !ok || enter && l.Offhand() {
		*l = completion.List{}
		if b := m.find("enter", m.composing()); enter && b != nil {
			return b.do(m)
		}
		return nil
	}
	switch l.Part.Kind {
	case completion.Files:
		return m.takeFile(chosen)
	case completion.Commands:
		return m.takeCommand(chosen, enter)
	case completion.Words:
		m.replace(l.Part.From, chosen)
		if enter {
			return m.send()
		}
		return m.edited()
	case completion.Nothing:
	}
	return nil
}

// takeCommand takes a name. Enter carries it out, unless it waits for words that only
// the user knows; one that is typed in full was meant as it stands.
func (m *model) takeCommand(name string, enter bool) tea.Cmd {
	c, _ := m.commandNamed(name)
	whole := m.completion.Part.Words == name
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
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-/:", r)
	})
	line.Delete(from, len(line.Text)-len(rest), false)
	line.Insert(with)
	m.completion = completion.List{}
}

// takeFile writes a mention. Behind a folder the list goes on.
func (m *model) takeFile(name string) tea.Cmd {
	mention, from := agent.Mention{Name: name}.String(), m.completion.Part.From
	folder := strings.HasSuffix(name, "/")
	if folder {
		mention = strings.TrimSuffix(mention, `"`)
	}
	m.replace(from, mention)
	line := m.line()
	switch rest := line.Text[line.At:]; {
	case folder:
	case rest == "", rest[0] != ' ':
		line.Insert(" ")
	default:
		line.Move(line.At + 1)
	}
	return tea.Batch(m.edited(), m.suggest(folder))
}

func recallKeys() []binding {
	step := func(by int) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { m.recalling.Step(by); return nil }
	}
	words := func(change func(*composer.Composer)) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { m.recalling.Look(change); return nil }
	}
	return []binding{
		{keys: []string{"ctrl+r", "down", "ctrl+n"}, at: atRecall, do: step(1), show: "ctrl+r, ↓", help: "older"},
		{keys: []string{"ctrl+s", "up", "ctrl+p"}, at: atRecall, do: step(-1), show: "ctrl+s, ↑", help: "newer"},
		{keys: []string{"enter", "tab", "right"}, at: atRecall, do: (*model).takeRecalled, help: "put it into the line"},
		{keys: []string{"esc", "ctrl+c", "ctrl+g"}, at: atRecall, do: (*model).closeRecall, help: "leave the line unchanged"},
		{keys: []string{"backspace", "ctrl+h"}, at: atRecall, do: words(func(c *composer.Composer) { c.Delete(c.Before(c.At), c.At, false) })},
		{keys: []string{"ctrl+w", "alt+backspace"}, at: atRecall, do: words(func(c *composer.Composer) { c.Delete(c.WordLeft(c.At, composer.NonSpace), c.At, false) })},
		{keys: []string{"ctrl+u"}, at: atRecall, do: words(func(c *composer.Composer) { c.Set("") })},
	}
}

// openRecall begins the search in earlier prompts.
func (m *model) openRecall() tea.Cmd {
	if m.takesNoMessages() {
		m.say(draw.Quiet, noMessagesWords)
		return nil
	}
	m.recalling = completion.NewPrompts(m.line().History)
	if m.recalling == nil {
		m.say(draw.Quiet, "no earlier prompts yet")
		return nil
	}
	return nil
}

func (m *model) closeRecall() tea.Cmd {
	m.recalling = nil
	return nil
}

// takeRecalled puts the marked prompt in the line, to be sent or changed.
func (m *model) takeRecalled() tea.Cmd {
	prompt, ok := m.recalling.Chosen()
	if !ok {
		return nil
	}
	line := m.line()
	line.Replace(line.Folded(prompt))
	line.Browsed = 0
	m.recalling = nil
	return m.edited()
}
