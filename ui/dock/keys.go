package dock

import (
	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// Action is what a key does on a line: in full words, and in few.
type Action struct {
	Key        string
	Words, Few sanitize.Text
}

// Keys says in as many words as fit what the keys do on a line. The first action is left out where
// there is no room for it.
func Keys(c draw.Canvas, actions []Action) draw.Styled {
	var full, few, least sanitize.Text
	for i, a := range actions {
		switch i {
		case 0:
			full, few = draw.Sprintf("%s %s", a.Key, a.Words), draw.Sprintf("%s %s", a.Key, a.Few)
			continue
		case 1:
		default:
			least += " · "
		}
		full += draw.Sprintf(" · %s %s", a.Key, a.Words)
		few += draw.Sprintf(" · %s %s", a.Key, a.Few)
		least += draw.Sprintf("%s %s", a.Key, a.Few)
	}
	for _, words := range []sanitize.Text{full + " · esc back", few + " · esc back", few, least} {
		if draw.Cells(words)+4 <= c.Width {
			return "    " + c.Theme.Accent.Draw(words)
		}
	}
	return "    " + c.Theme.Accent.Draw(c.Cut(least, c.Width-4))
}
