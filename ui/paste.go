package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent"
	"pawl/lifecycle"
)

// dropped is what a path that was pasted stands for: the name of a picture.
type dropped struct {
	session lifecycle.SessionID
	pasted  string
	name    string
}

// drop looks at what was pasted: terminals paste the path of a file that is dropped
// on them. If that is a picture's the path becomes a mention of it.
func (m *model) drop(pasted string) tea.Cmd {
	look := m.options.Picture
	if look == nil || !pictured(pasted) {
		return nil
	}
	ctx, session := m.ctx, m.open
	return safely(func() tea.Msg { return dropped{session, pasted, look(ctx, pasted)} })
}

// pictured says that a text may be the path of a picture, quoted or not.
func pictured(text string) bool {
	const longest = 4 << 10 // of a path, in the kernel
	text = strings.ToLower(strings.Trim(text, " '\""))
	if len(text) > longest || strings.ContainsAny(text, "\r\n") {
		return false
	}
	for _, ending := range []string{".png", ".jpg", ".jpeg", ".gif", ".webp"} {
		if strings.HasSuffix(text, ending) {
			return true
		}
	}
	return false
}

// dropped writes the mention where the path was pasted, if it is still there.
func (m *model) dropped(d dropped) tea.Cmd {
	line := m.composerOf(d.session)
	at := strings.LastIndex(line.Text, d.pasted)
	if d.name == "" || at < 0 {
		return nil
	}
	end, cursor := at+len(d.pasted), line.At
	if strings.HasSuffix(line.Text[:at], "@") { // who pastes it behind one means the same
		at--
	}
	delete(m.brought, agent.Mention{Name: d.name}.Bare())
	line.Delete(at, end, false)
	line.Insert(agent.Mention{Name: d.name}.String() + " ")
	if cursor < at {
		line.Move(cursor)
	} else {
		line.Move(line.At + max(0, cursor-end))
	}
	return m.edited()
}

// reach lists what a text names outside the folder and its user wrote or dropped
// there: what came with a paste they may not have read.
func (m *model) reach(text string) []string {
	return slices.DeleteFunc(agent.Reach(text), func(name string) bool {
		return m.brought[agent.Mention{Name: name}.Bare()]
	})
}

// mistrust notes what a pasted text names there.
func (m *model) mistrust(pasted string) {
	for _, name := range agent.Reach(pasted) {
		if m.brought == nil {
			m.brought = map[string]bool{}
		}
		m.brought[agent.Mention{Name: name}.Bare()] = true
	}
}
