package transcript

import (
	"strings"

	"pawl/agent"
)

// Source is the content of a block as it was written: the Markdown of an answer, a command with
// its output, a diff that can be applied, what subagents said.
func (b *Block) Source(runs []Card) string {
	switch b.Kind {
	case said, Answer, thought, Note:
		return b.Whole()
	case command:
		sign := "$ "
		if b.userShell() {
			sign = "! "
		}
		return sign + b.Label + "\n" + b.Whole()
	case Tool:
	}
	if len(runs) == 0 {
		return sourceOf(b.decoded(), b.Label)
	}
	var parts []string
	for _, r := range runs {
		parts = append(parts, r.Run.Output())
	}
	return strings.Join(parts, "\n\n")
}

// Readable is all text of a block that a search covers, in the order in which it is drawn with
// details.
func (b *Block) Readable(runs []Card) string {
	switch b.Kind {
	case Answer:
		return strings.NewReplacer("**", "", "`", "").Replace(b.Whole()) // as drawn
	case said, thought, Note:
		return b.Whole()
	case command:
		return b.Source(nil)
	case Tool:
	}
	if len(runs) == 0 {
		text := b.Source(nil)
		if v, ok := b.decoded().(agent.CommandView); ok {
			text = v.Note + "\n" + v.Output // the label is the command
		}
		return b.name + " " + b.Label + "\n" + text
	}
	var text strings.Builder
	for _, r := range runs {
		text.WriteString(strings.Join([]string{r.Run.Type, r.Run.Description, r.Run.Prompt, r.Run.Output(), ""}, "\n"))
	}
	return text.String()
}

// sourceOf is the text of a result, or the label of its call if it has none.
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

// CodeOf is the code in the fences of some Markdown.
func CodeOf(markdown string) string {
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
