package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent"
)

// files are the names that a mention may have, as they were read last.
type files struct {
	folder string
	names  []string
	at     time.Time
	asked  bool
}

// filesAge is how old the names may be when a list is opened: a few mentions typed
// in a row read the folder once.
const filesAge = 5 * time.Second

// filesFound are the names of a folder.
type filesFound struct {
	folder string
	names  []string
}

// narrowed is a list of files that fits what was typed.
type narrowed struct {
	part fragment
	completion
}

// suggestFiles asks for the list. To find what fits among many thousand names takes
// longer than a key may, so it is not done here.
func (m *model) suggestFiles(opened bool) tea.Cmd {
	folder := m.runs.Latest(m.open).Folder
	if folder != m.files.folder {
		m.files = files{folder: folder}
	}
	return tea.Batch(m.readFiles(opened), m.narrowFiles())
}

func (m *model) readFiles(opened bool) tea.Cmd {
	now := m.clock.Read()
	if !opened || m.files.asked || !m.files.at.IsZero() && now.Sub(m.files.at) < filesAge {
		return nil
	}
	m.files.asked = true
	ctx, folder, read := m.ctx, m.files.folder, m.options.Files
	return safely(func() tea.Msg { return filesFound{folder, read(ctx, folder)} })
}

func (m *model) filesFound(found filesFound) tea.Cmd {
	if found.folder != m.files.folder {
		return nil
	}
	m.files = files{folder: found.folder, names: found.names, at: m.clock.Read()}
	if m.completion.part.offer != offerFiles {
		return nil
	}
	return m.narrowFiles()
}

func (m *model) narrowFiles() tea.Cmd {
	if len(m.files.names) == 0 {
		return nil
	}
	m.completion.due = true
	names, part := m.files.names, m.completion.part
	return safely(func() tea.Msg { return narrowed{part, fitting(names, part.words)} })
}

// narrowed takes a list in, if it is still what is asked for.
func (m *model) narrowed(n narrowed) {
	c := &m.completion
	if !c.part.is(n.part) || c.part.words != n.part.words || !c.due {
		return
	}
	c.base, c.of, c.list, c.due = n.base, n.of, n.list, false
	m.changed()
}

// catchUp makes the list that is due: what is taken must fit what is typed.
func (m *model) catchUp() {
	if c := &m.completion; c.due {
		now := fitting(m.files.names, c.part.words)
		c.base, c.of, c.list, c.due = now.base, now.of, now.list, false
	}
}

// fitting are the names that fit, the best first. Behind a folder that is there they
// are those below it.
func fitting(names []string, words string) completion {
	var c completion
	if slash := strings.LastIndexByte(words, '/') + 1; slash > 0 {
		for _, name := range names {
			if below, ok := strings.CutPrefix(name, words[:slash]); ok && below != "" {
				c.of = append(c.of, below)
			}
		}
		if len(c.of) > 0 {
			c.base, words = words[:slash], words[slash:]
		}
	}
	if len(c.of) == 0 {
		c.of = names
	}
	c.list.Narrow(words, c.of)
	return c
}

// takeFile writes a mention. Behind a folder the list goes on.
func (m *model) takeFile(name string) tea.Cmd {
	mention, from := agent.Mention{Name: name}.String(), m.completion.part.from
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
