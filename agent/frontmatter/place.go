package frontmatter

import (
	"path"
	"path/filepath"
)

// Place is a folder in which files of one kind are looked for.
type Place struct {
	Source
	Folder  string // inside the source, with slashes: ".claude/commands"
	Project bool   // it is the checkout's, and not the user's own
	AtTop   bool   // it is that of the checkout's top folder, in which Pawl does not stand
}

// Owner says whose place it is, in a word for people.
func (p Place) Owner() string {
	if p.Project {
		return "project"
	}
	return "user"
}

// Where says where files are looked for. Empty folders have none.
type Where struct {
	Config string // the user's config folder
	Folder string // in which Pawl stands
	Top    string // the top folder of its checkout
}

// Places are the folders of one kind ("commands") in the order in which a name is looked for: of
// the folder in which Pawl stands, then of the checkout's top folder, then the user's own. rooms
// are the folders of a project that have such a folder: ".pawl", ".claude". The caller calls done
// when it has read.
func (w Where) Places(kind string, rooms ...string) (places []Place, done func()) {
	var all []func()
	add := func(folder string, atTop bool) {
		source, done := ProjectFolder(folder)
		all = append(all, done)
		if source.Empty() {
			return
		}
		if atTop {
			source = source.from(w.Folder)
		}
		for _, room := range rooms {
			places = append(places, Place{Source: source, Folder: path.Join(room, kind), Project: true, AtTop: atTop})
		}
	}
	if w.Folder != "" {
		add(w.Folder, false)
	}
	if w.Top != "" && w.Top != w.Folder {
		add(w.Top, true)
	}
	if own := UserFolder(w.Config); !own.Empty() {
		places = append(places, Place{Source: own, Folder: kind})
	}
	return places, func() {
		for _, done := range all {
			done()
		}
	}
}

// from is the source with paths spelled as seen from another folder.
func (s Source) from(folder string) Source {
	up, err := filepath.Rel(folder, s.root)
	if err != nil {
		up = s.root
	}
	s.spell = func(name string) string { return path.Join(filepath.ToSlash(up), name) }
	return s
}
