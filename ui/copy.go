package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent"
	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
	"pawl/ui/terminal"
)

// copyBlock gives the terminal's clipboard what the block with the focus holds.
func (m *model) copyBlock() tea.Cmd {
	talk, i := m.focused()
	if i < 0 {
		return m.leaveBlocks()
	}
	return m.clip(talk.blocks[i].source(m.runsOn(talk, i)), "nothing in it to copy")
}

// copyCode copies the blocks of code of an answer alone.
func (m *model) copyCode() tea.Cmd {
	talk, i := m.focused()
	if i < 0 {
		return m.leaveBlocks()
	}
	return m.clip(codeOf(talk.blocks[i].source(m.runsOn(talk, i))), "no code in it; y copies all of it")
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

// source is what a block shows, as it was written: the Markdown of an answer, a
// command with its output, a diff that can be applied, what subagents said.
func (b *block) source(runs []cardRun) string {
	switch b.kind {
	case said, answer, thought, note:
		return b.whole()
	case command:
		return "$ " + b.label + "\n" + b.whole()
	case tool:
	}
	if len(runs) == 0 {
		return sourceOf(b.decoded(), b.label)
	}
	var parts []string
	for _, r := range runs {
		parts = append(parts, r.run.Output())
	}
	return strings.Join(parts, "\n\n")
}

// sourceOf is the text of a result; the label of its call where it has none.
func sourceOf(view agent.View, label string) string {
	var lines []string
	switch v := view.(type) {
	case nil:
		return label
	case agent.PlainView:
		return v.Text
	case agent.CommandView:
		return "$ " + v.Command + "\n" + v.Output
	case agent.DiffView:
		return v.Diff
	case agent.ListingView:
		lines = v.Items
	case agent.TodoView:
		boxes := map[string]string{"done": "- [x] "}
		for _, item := range v.Items {
			box, ok := boxes[item.State]
			if !ok {
				box = "- [ ] "
			}
			lines = append(lines, box+item.Text)
		}
	case agent.RunView:
		return label
	}
	return strings.Join(lines, "\n")
}

// codeOf is what stands between the fences of some Markdown.
func codeOf(markdown string) string {
	var pieces []string
	var open fence
	for line := range strings.Lines(markdown) {
		bare := strings.TrimRight(line, "\r\n")
		held, before := open.holds(bare), open.column
		switch open = open.after(bare); {
		case open.mark == "":
		case !held:
			pieces = append(pieces, "")
		default:
			pieces[len(pieces)-1] += line[min(before, len(line)-len(strings.TrimLeft(line, " "))):]
		}
	}
	return strings.Join(pieces, "\n")
}

// readable is all of the text of a block that a search looks through: in the order
// in which it is drawn when the block is open.
func (b *block) readable(runs []cardRun) string {
	switch b.kind {
	case answer:
		return strings.NewReplacer("**", "", "`", "").Replace(b.whole()) // as it is drawn
	case said, thought, note:
		return b.whole()
	case command:
		return b.source(nil)
	case tool:
	}
	if len(runs) == 0 {
		text := b.source(nil)
		if v, ok := b.decoded().(agent.CommandView); ok {
			text = v.Note + "\n" + v.Output // the command is the label
		}
		return b.name + " " + b.label + "\n" + text
	}
	var text strings.Builder
	for _, r := range runs {
		text.WriteString(strings.Join([]string{r.run.Type, r.run.Description, r.run.Prompt, r.run.Output(), ""}, "\n"))
	}
	return text.String()
}
