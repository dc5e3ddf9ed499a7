package ui

import (
	"strings"

	"pawl/agent"
)

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
