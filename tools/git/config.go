package git

import (
	"errors"
	"fmt"
	"strings"
)

// setting is one line of a config. section and key are in lower case, as git compares them; the
// part between may be any text, as it was written.
type setting struct {
	section, part, key string
	value              string
	bare               bool // there is no = after the key: git takes it for true
}

func (s setting) name() string {
	if s.part == "" {
		return s.section + "." + s.key
	}
	return s.section + "." + s.part + "." + s.key
}

// parse reads a config as git does. What git would not read is an error, because another version
// might, and so is a zero byte, which ends a value here but not for git.
func parse(text string) ([]setting, error) {
	if strings.Contains(text, "\x00") {
		return nil, errors.New("line 1: it holds a zero byte")
	}
	r := reader{rest: strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n"), line: 1}
	if strings.Contains(r.rest, "\r") { // white space for git
		return nil, errors.New("line 1: it holds a carriage return within a line")
	}
	var all []setting
	var at setting // the current section
	for {
		r.blank()
		if r.rest == "" {
			return all, nil
		}
		var err error
		switch c := r.rest[0]; {
		case c == '[':
			at, err = r.section()
		case letter(c) && at.section != "":
			one := at
			err = r.entry(&one)
			all = append(all, one)
		default:
			err = fmt.Errorf("%q is neither a section nor a key", c)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", r.line, err)
		}
	}
}

// reader reads a text from its front.
type reader struct {
	rest string
	line int
}

// take returns the next byte, or 0 at the end.
func (r *reader) take() byte {
	if r.rest == "" {
		return 0
	}
	c := r.rest[0]
	r.rest = r.rest[1:]
	if c == '\n' {
		r.line++
	}
	return c
}

func (r *reader) blank() {
	for r.rest != "" {
		switch r.rest[0] {
		case '#', ';':
			for r.rest != "" && r.rest[0] != '\n' {
				r.take()
			}
		case ' ', '\t', '\n', '\r', '\v', '\f':
			r.take()
		default:
			return
		}
	}
}

// section reads [name], [name "part"] or, in the old form, [name.part].
func (r *reader) section() (setting, error) {
	r.take()
	end := strings.IndexAny(r.rest, " \t]\n")
	if end < 0 {
		return setting{}, fmt.Errorf("unterminated section")
	}
	name, part, _ := strings.Cut(strings.ToLower(r.rest[:end]), ".")
	s := setting{section: name, part: part}
	r.rest = strings.TrimLeft(r.rest[end:], " \t")
	if strings.HasPrefix(r.rest, `"`) {
		r.take()
		var err error
		if s.part, err = r.quoted(); err != nil {
			return s, err
		}
	}
	if c := r.take(); c != ']' {
		return s, fmt.Errorf("the section %q has no ]", name)
	}
	if name == "" || strings.ContainsFunc(name, func(c rune) bool { return c != '-' && (c > 127 || !letter(byte(c)) && !digit(byte(c))) }) {
		return s, fmt.Errorf("%q is not the name of a section", name)
	}
	return s, nil
}

// quoted reads up to the closing quote: a backslash stands for the character after it.
func (r *reader) quoted() (string, error) {
	var b strings.Builder
	for {
		switch c := r.take(); c {
		case '"':
			return b.String(), nil
		case '\\':
			c = r.take()
			if c == 0 || c == '\n' {
				return "", fmt.Errorf("unterminated quote")
			}
			b.WriteByte(c)
		case 0, '\n':
			return "", fmt.Errorf("unterminated quote")
		default:
			b.WriteByte(c)
		}
	}
}

func (r *reader) entry(s *setting) error {
	end := 0
	for end < len(r.rest) && (letter(r.rest[end]) || digit(r.rest[end]) || r.rest[end] == '-') {
		end++
	}
	s.key, r.rest = strings.ToLower(r.rest[:end]), strings.TrimLeft(r.rest[end:], " \t")
	switch {
	case r.rest == "" || strings.ContainsRune("\n#;", rune(r.rest[0])):
		s.bare = true
		return nil
	case r.rest[0] != '=':
		return fmt.Errorf("no = after %s", s.key)
	}
	r.take()
	var err error
	s.value, err = r.value()
	return err
}

// value reads to the end of the line: quotes protect their content, a backslash at the end
// continues on the next line, and a comment ends it.
func (r *reader) value() (string, error) {
	r.rest = strings.TrimLeft(r.rest, " \t")
	var b strings.Builder
	spaces, tab, inside := 0, false, false // trailing white space does not count
	for {
		c := r.take()
		switch {
		case c == 0 && inside, c == '\n' && inside:
			return "", fmt.Errorf("unterminated quote")
		case c == 0, c == '\n':
			return b.String(), nil
		case !inside && (c == ' ' || c == '\t'):
			spaces, tab = spaces+1, tab || c == '\t'
			continue
		case !inside && (c == '#' || c == ';'):
			for r.rest != "" && r.rest[0] != '\n' {
				r.take()
			}
			continue
		}
		if tab { // a blank for some versions of git
			return "", fmt.Errorf("a tab within a value")
		}
		b.WriteString(strings.Repeat(" ", spaces))
		spaces = 0
		switch c {
		case '"':
			inside = !inside
		case '\\':
			if err := r.escape(&b); err != nil {
				return "", err
			}
		default:
			b.WriteByte(c)
		}
	}
}

func (r *reader) escape(b *strings.Builder) error {
	c := r.take()
	switch c {
	case '\n': // the value continues
	case '\\', '"':
		b.WriteByte(c)
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'b':
		b.WriteByte('\b')
	default:
		return fmt.Errorf("unknown escape \\%c in a value", c)
	}
	return nil
}

func letter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
func digit(c byte) bool  { return '0' <= c && c <= '9' }
