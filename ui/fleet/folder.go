package fleet

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/composer"
	"pawl/ui/draw"
)

// recall puts another folder into the line.
func (m *model) recall(by int) tea.Cmd {
	m.input.Recall(by)
	m.changed()
	return nil
}

// begin asks for the folder of a new session.
func (m *model) begin() tea.Cmd {
	m.disarm()
	c := &composer.Composer{Goal: -1}
	for _, i := range m.board.kept {
		if folder := m.board.sessions[i].Workspace; folder != "" && !slices.Contains(c.History, folder) {
			c.History = append(c.History, folder)
		}
	}
	slices.Reverse(c.History) // the first of them comes first
	folder := m.options.Folder
	if s, is := m.board.current(); is && s.Workspace != "" {
		folder = s.Workspace
	}
	c.Set(folder)
	c.Move(len(c.Text))
	m.input = &input{c, atFolder, ""}
	m.changed()
	return nil
}

// placed is what a typed folder is as a path.
type placed struct {
	typed, path string
	err         error
}

// takeFolder begins a session in the folder, if one can begin there.
func (m *model) takeFolder() tea.Cmd {
	typed := strings.TrimSpace(m.input.Text)
	if typed == "" {
		return nil
	}
	place, ctx := m.options.Place, m.ctx
	if place == nil {
		return m.placed(placed{typed, typed, nil})
	}
	return func() tea.Msg {
		path, err := place(ctx, typed)
		return placed{typed, path, err}
	}
}

func (m *model) placed(p placed) tea.Cmd {
	if m.at() != atFolder || strings.TrimSpace(m.input.Text) != p.typed {
		return nil // somebody has gone on meanwhile
	}
	if p.err != nil {
		m.say(draw.Failure, sanitize.Line(p.err.Error()))
		return nil
	}
	return m.end(Ending{Begin: p.path})
}

// completed is what a typed folder can be.
type completed struct {
	typed string
	found []string
}

func (m *model) complete() tea.Cmd {
	m.disarm()
	typed, list, ctx := m.input.Text, m.options.Folders, m.ctx
	if list == nil {
		return nil
	}
	return func() tea.Msg { return completed{typed, list(ctx, typed)} }
}

// completed writes what all candidates begin with or, where that is written already, names them.
func (m *model) completed(c completed) {
	if m.at() != atFolder || m.input.Text != c.typed {
		return
	}
	if len(c.found) == 0 {
		m.say(draw.Quiet, "no such folder")
		return
	}
	common := c.found[0]
	for _, one := range c.found[1:] {
		for !strings.HasPrefix(one, common) {
			common = strings.ToValidUTF8(common[:len(common)-1], "")
		}
	}
	if len(common) > len(c.typed) {
		m.input.Replace(composer.Piece{Text: common})
		m.input.Move(len(common))
		m.changed()
		return
	}
	if len(c.found) > 1 {
		names := make([]string, 0, len(c.found))
		for _, one := range c.found {
			names = append(names, one[strings.LastIndexByte(strings.TrimSuffix(one, "/"), '/')+1:])
		}
		m.say(draw.Quiet, sanitize.Line(strings.Join(names, "  ")))
	}
}
