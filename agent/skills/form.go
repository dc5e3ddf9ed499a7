package skills

import (
	"errors"
	"fmt"
	"regexp"
	"sync"
	"unicode/utf8"

	"pawl/agent/commands"
	"pawl/agent/frontmatter"
	"pawl/internal/words"
)

// The bounds of the open form.
const (
	longestName        = 64
	longestDescription = 1024
)

// wellNamed is a name of the open form: lower case letters, digits, and single hyphens between them.
var wellNamed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`) })

// fill fills a skill, whose name is that of its folder, from the text of its file. notes are about
// what is against the open form or has no effect.
func (s *Skill) fill(text string, w commands.Words) (notes []string, err error) {
	fields, body, err := frontmatter.Fields(text)
	switch {
	case err != nil:
		return nil, err
	case body == "":
		return nil, errors.New("it has no text: write below the frontmatter how the work is done")
	}
	s.Body = body
	typed := commands.Command{Name: s.Name, Body: body, Folder: s.Folder, Source: s.Source, Owner: s.Owner, AtTop: s.AtTop}
	notes = typed.Set(fields, w, []string{"name", "description", "license", "compatibility", "metadata", "version", "allowed-tools", "disable-model-invocation", "user-invocable"})
	for _, f := range fields {
		if note := s.set(f, &typed); note != "" {
			notes = append(notes, fmt.Sprintf("line %d: %s", f.Line, note))
		}
	}
	if !fits(s.Name) {
		return nil, fmt.Errorf("name %q: must have 1 to %d lower case letters, digits and single hyphens, and be that of its folder", s.Name, longestName)
	}
	if s.Description == "" {
		return nil, errors.New("description is missing: a model chooses a skill by it")
	}
	if typed.Name != "" {
		typed.Name, typed.Description = s.Name, words.CutLine(s.Description, 200)
		s.Command = typed
	}
	return notes, nil
}

func fits(name string) bool { return len(name) <= longestName && wellNamed().MatchString(name) }

// set reads a key of the open form, and returns what is wrong with it.
func (s *Skill) set(f frontmatter.Field, typed *commands.Command) string {
	switch f.Key {
	case "name":
		name := words.Line(f.Text)
		switch {
		case !fits(name):
			return fmt.Sprintf("name %q is left out, and that of its folder counts: a name has up to %d lower case letters, digits and single hyphens", name, longestName)
		case name != s.Name && fits(s.Name):
			note := fmt.Sprintf("name %q is not that of its folder, as the form wants it", name)
			s.Name = name
			return note
		}
		s.Name = name
	case "description":
		s.Description = commands.Shown(f.Text)
		if n := utf8.RuneCountInString(s.Description); n > longestDescription {
			s.Description = words.CutLine(s.Description, longestDescription)
			return fmt.Sprintf("description has %d characters, and what is beyond %d is left out", n, longestDescription)
		}
	case "allowed-tools":
		return "allowed-tools has no effect here: Pawl's own rules say what may be done"
	case "disable-model-invocation":
		s.Unlisted = f.Text == "true"
	case "user-invocable":
		if f.Text == "false" {
			typed.Name = ""
		}
	}
	return ""
}
