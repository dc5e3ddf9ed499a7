package completion

import (
	"strings"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/list"
)

// Line is what stands in a composer, and where its cursor is.
type Line struct {
	Session lifecycle.SessionID
	Text    string
	Cursor  int
}

// List is what is offered above a composer while something is typed that it can
// finish. It holds for the line as it was when the list was asked for; any other line
// has none. The zero List offers nothing.
type List struct {
	Part Part
	line Line
	shut bool // by Esc, for as long as the same part is typed

	candidates
	help   []sanitize.Text // of each candidate; nil: none
	due    bool            // the list is still that of what was typed before
	marked bool            // by the arrows
}

// candidates are what there is to choose from, and what fits of it.
type candidates struct {
	base string // stands before all of them, and is typed
	of   []string
	list list.Shortlist
}

// Follow takes in a change of a line, and the part of it that is typed. Only typing opens
// the list: who moves about in the text, or brings an earlier one back, is left alone. It
// reports whether the part is to be offered something, and whether it is another one than
// before.
func (l *List) Follow(line Line, now Part, typing bool) (wanted, opened bool) {
	begun := typing && (now.Words == "" || now.Words == "/") // by its sign, whatever was here before
	same := l.line.Session == line.Session && l.Part.is(now) && !begun
	switch {
	case now.Kind == Nothing, !same && !typing:
		*l = List{}
		return false, false
	case same && l.shut:
		return false, false
	case !same:
		*l = List{}
	}
	l.line, l.Part = line, now
	return true, !same
}

// Stands says that there is a list for a line.
func (l *List) Stands(line Line) bool { return !l.shut && l.line == line && len(l.list.Kept) > 0 }

// Offer narrows a short list at once.
func (l *List) Offer(of []string) { l.offer("", of, nil) }

// OfferCommands does, of commands, with what they do.
func (l *List) OfferCommands(commands []Command) {
	names, help := make([]string, len(commands)), make([]sanitize.Text, len(commands))
	for i, c := range commands {
		names[i], help[i] = strings.TrimPrefix(c.Name, "/"), c.Help
	}
	l.offer("/", names, help)
}

func (l *List) offer(base string, of []string, help []sanitize.Text) {
	l.base, l.of, l.help, l.marked = base, of, help, false
	l.list.Narrow(strings.TrimPrefix(l.Part.Words, base), of)
}

// Offhand says that the list is only shown, and nothing in it marked: Enter means the
// command as it stands, without a word of its own or with a whole one.
func (l *List) Offhand() bool {
	words, whole := l.Part.Words, l.Part.Command.Whole
	return l.Part.Kind == Words && !l.marked && (words == "" || whole != nil && whole(words))
}

// Mark moves the mark.
func (l *List) Mark(by int) {
	if by < 0 || !l.Offhand() { // down to the first
		l.list.Step(by)
	}
	l.marked = true
}

// Shut closes the list, until another part is typed.
func (l *List) Shut() { l.shut = true }

// Candidates are all that fit, as they are to be written, the best first.
func (l *List) Candidates() []string {
	var names []string
	for _, f := range l.list.Kept {
		names = append(names, l.base+l.of[f.Index])
	}
	return names
}

// Chosen is what is marked, as it is to be written; false where nothing fits.
func (l *List) Chosen() (string, bool) {
	i, ok := l.list.Chosen()
	if !ok {
		return "", false
	}
	return l.base + l.of[i], true
}
