package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
	"pawl/ui/terminal"
	"pawl/ui/transcript"
)

// copyBlock gives the terminal's clipboard what the block with the focus holds.
func (m *model) copyBlock() tea.Cmd {
	talk, i := m.focused()
	if i < 0 {
		return m.leaveBlocks()
	}
	return m.clip(talk.Blocks[i].Source(m.runsOn(talk, i)), "nothing in it to copy")
}

// copyCode copies the blocks of code of an answer alone.
func (m *model) copyCode() tea.Cmd {
	talk, i := m.focused()
	if i < 0 {
		return m.leaveBlocks()
	}
	return m.clip(transcript.CodeOf(talk.Blocks[i].Source(m.runsOn(talk, i))), "no code in it; y copies all of it")
}

// clip sends text to the clipboard, or says why there is none.
func (m *model) clip(text string, none sanitize.Text) tea.Cmd {
	m.disarm()
	clipping := sanitize.Paste(text)
	if text = strings.TrimSpace(string(clipping)); text == "" {
		m.say(draw.Quiet, none)
		return nil
	}
	m.say(draw.Quiet, draw.Sprintf("copied %s", words.Count(strings.Count(text, "\n")+1, "line")))
	return terminal.Copy(clipping)
}
