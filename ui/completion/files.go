package completion

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Folder is the names that a mention may have, as they were read last.
type Folder struct {
	path  string
	names []string
	at    time.Time
	asked bool
}

// Found are the names in a folder.
type Found struct {
	Folder string
	Names  []string
}

// Narrowed is a list of files that fits what was typed.
type Narrowed struct {
	part Part
	candidates
}

// NamesAge is how old the names may be when a list is opened: a few mentions typed
// in a row read the folder once.
const NamesAge = 5 * time.Second

// Of turns to a folder, and forgets the names of another one.
func (f *Folder) Of(path string) {
	if path != f.path {
		*f = Folder{path: path}
	}
}

// Read reads the names, unless they are on their way or were read just now; nil then.
func (f *Folder) Read(now time.Time, read func(folder string) []string) tea.Cmd {
	if f.asked || !f.at.IsZero() && now.Sub(f.at) < NamesAge {
		return nil
	}
	f.asked = true
	path := f.path
	return func() tea.Msg { return Found{path, read(path)} }
}

// Take takes in what was read; false where it is of another folder.
func (f *Folder) Take(found Found, now time.Time) bool {
	if found.Folder != f.path {
		return false
	}
	*f = Folder{path: found.Folder, names: found.Names, at: now}
	return true
}

// NarrowFiles finds what fits among the names of a folder: among many thousand that takes
// longer than a key may.
func (l *List) NarrowFiles(of *Folder) tea.Cmd {
	if len(of.names) == 0 {
		return nil
	}
	l.due = true
	names, part := of.names, l.Part
	return func() tea.Msg { return Narrowed{part, fitting(names, part.Words)} }
}

// Take takes in what was narrowed, if it is still what is asked for.
func (l *List) Take(n Narrowed) {
	if l.Part.is(n.part) && l.Part.Words == n.part.Words && l.due {
		l.candidates, l.due = n.candidates, false
	}
}

// CatchUp narrows at once what is due: what is taken must fit what is typed.
func (l *List) CatchUp(of *Folder) {
	if l.due {
		l.candidates, l.due = fitting(of.names, l.Part.Words), false
	}
}

// fitting are the names that fit, the best first. Behind a folder that is there they
// are those below it.
func fitting(names []string, words string) candidates {
	var c candidates
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
