package skills

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"pawl/agent/commands"
	"pawl/agent/frontmatter"
	"pawl/agent/types"
)

// Options say where to look for skills and what is valid in them.
type Options struct {
	frontmatter.Where
	Reserved []string // names that no typed skill can have: those of the screen
	commands.Words
}

// Found is what was found.
type Found struct {
	Skills   []Skill // in the order in which a name is looked for; a name may be there more than once
	Problems []types.Remark
	Notes    []types.Remark
	// Sums are the digests of each SKILL.md of a project as it was read, by its whole path.
	Sums map[string]string
}

// FileName is the file that makes a folder a skill.
const FileName = "SKILL.md"

// Load reads all skills. It changes nothing and starts nothing.
func Load(o Options) Found {
	l := &loader{options: o}
	l.found.Sums = map[string]string{}
	places, done := o.Places("skills", ".pawl", ".claude", ".agents")
	defer done()
	for _, place := range places {
		folders, err := place.Folders(place.Folder)
		if err != nil {
			l.problem(place.Spell(place.Folder), err.Error())
		}
		for _, folder := range folders {
			l.read(place, folder)
		}
	}
	return l.found
}

// loader collects the result.
type loader struct {
	options Options
	found   Found
}

// read reads one skill. A folder without the file is none: it may hold others' files.
func (l *loader) read(place frontmatter.Place, folder string) {
	file := path.Join(folder, FileName)
	text, sum, err := place.ReadSum(file)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	source := place.Spell(file)
	if err != nil {
		l.problem(source, err.Error())
		return
	}
	if place.Project {
		l.found.Sums[place.Path(file)] = sum
	}
	s := Skill{Name: path.Base(folder), Folder: place.Path(folder), Source: source, Owner: place.Owner(), AtTop: place.AtTop}
	notes, err := s.fill(text, l.options.Words)
	if err != nil {
		l.problem(source, err.Error())
		return
	}
	for _, note := range notes {
		l.note(source, note)
	}
	if same, taken := Find(l.found.Skills, s.Name); taken {
		l.note(source, fmt.Sprintf("%s is used instead: it has the same name", same.Source))
	}
	if l.taken(s.Name) && s.Command.Name != "" {
		l.note(source, fmt.Sprintf("/%s is Pawl's own: only models use this skill", s.Name))
		s.Command = commands.Command{}
	}
	l.found.Skills = append(l.found.Skills, s)
}

// taken reports a name of one of Pawl's own commands.
func (l *loader) taken(name string) bool {
	for _, own := range commands.Builtin() {
		if own.Name == name {
			return true
		}
	}
	for _, own := range l.options.Reserved {
		if own == name {
			return true
		}
	}
	return false
}

func (l *loader) problem(where, text string) {
	l.found.Problems = append(l.found.Problems, types.Remark{Where: where, Text: text})
}

func (l *loader) note(where, text string) {
	l.found.Notes = append(l.found.Notes, types.Remark{Where: where, Text: strings.TrimSpace(text)})
}

// Where says in a line where skills are looked for.
const Where = "a folder with a SKILL.md in .pawl/skills, .claude/skills, .agents/skills or skills of your config folder is one"
