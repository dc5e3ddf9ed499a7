package highlight

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Token is a piece of code that looks like one thing: it begins where the one
// before it ends.
type Token struct {
	Kind Kind
	End  int // in the source, in bytes
}

// Tokens takes source apart; the last token ends where source does. language is the
// word behind a fence: of one that is not known only strings and numbers are told
// apart, and without one nothing is.
//
// settled is how much of source whole lines take up that look the same whatever
// follows them: a later call may begin there.
func Tokens(language, source string) (tokens []Token, settled int) {
	l := find(language)
	if l == nil {
		return []Token{{Plain, len(source)}}, wholeLines(source)
	}
	s := scanner{of: l, source: source, rest: source, tokens: make([]Token, 0, len(source)/6+1)}
	if l.lines != nil {
		for line := range strings.Lines(source) {
			s.take(l.lines(line), len(line))
		}
		return s.tokens, wholeLines(source)
	}
	for s.rest != "" {
		s.step()
	}
	return s.tokens, s.settled
}

func wholeLines(source string) int { return strings.LastIndexByte(source, '\n') + 1 }

// scanner walks through a piece of code.
type scanner struct {
	of           *language
	source, rest string
	tokens       []Token
	settled      int
	inTag        bool // of markup: between < and >
}

// take makes the next n bytes a token. Plain ones are joined.
func (s *scanner) take(k Kind, n int) {
	s.rest = s.rest[n:]
	end := len(s.source) - len(s.rest)
	if last := len(s.tokens) - 1; last >= 0 && s.tokens[last].Kind == k && k == Plain {
		s.tokens[last].End = end
		return
	}
	s.tokens = append(s.tokens, Token{k, end})
}

// before is the source up to here.
func (s *scanner) before() string { return s.source[:len(s.source)-len(s.rest)] }

func (s *scanner) step() {
	if n := s.comment(); n > 0 {
		s.take(Comment, n)
		return
	}
	if n := s.quoted(); n > 0 {
		k := String
		if s.of.keyed && strings.HasPrefix(strings.TrimLeft(s.rest[n:], " \t"), ":") {
			k = Attribute
		}
		s.take(k, n)
		return
	}
	switch c, size := utf8.DecodeRuneInString(s.rest); {
	case unicode.IsDigit(c):
		s.take(Number, span(s.rest, func(c rune) bool { return unicode.IsDigit(c) || unicode.IsLetter(c) || c == '.' || c == '_' }))
	case unicode.IsLetter(c) || c == '_':
		n := span(s.rest, s.of.wordly)
		s.take(s.word(s.rest[:n], s.rest[n:]), n)
	case s.of.markup && (c == '<' || c == '>'):
		s.inTag = c == '<'
		s.take(Plain, size)
	default:
		s.take(Plain, size)
		if c == '\n' && !s.inTag {
			s.settled = len(s.source) - len(s.rest)
		}
	}
}

// comment is how long the comment here is, 0 for none.
func (s *scanner) comment() int {
	for _, mark := range s.of.comments {
		if !strings.HasPrefix(s.rest, mark) || mark == "#" && s.within() {
			continue
		}
		if end := strings.IndexByte(s.rest, '\n'); end >= 0 {
			return end
		}
		return len(s.rest)
	}
	for _, pair := range s.of.blocks {
		if strings.HasPrefix(s.rest, pair[0]) {
			return enclosed(s.rest, pair[0], pair[1])
		}
	}
	return 0
}

// within reports whether something that is no blank stands right before: $# and
// issue#5 begin no comment.
func (s *scanner) within() bool {
	before := s.before()
	return before != "" && !strings.ContainsAny(before[len(before)-1:], " \t\n;(")
}

// quoted is how long the string here is, 0 for none.
func (s *scanner) quoted() int {
	for _, mark := range s.of.multi {
		if strings.HasPrefix(s.rest, mark) {
			return enclosed(s.rest, mark, mark)
		}
	}
	if s.of.markup && !s.inTag || !strings.ContainsRune(s.of.quotes, rune(s.rest[0])) {
		return 0
	}
	if s.of.lifetimes && s.rest[0] == '\'' && !character(s.rest[1:]) {
		return 0
	}
	for i := 1; i < len(s.rest); i++ {
		switch s.rest[i] {
		case '\\':
			i++
		case '\n':
			return s.unclosed(i)
		case s.rest[0]:
			return i + 1
		}
	}
	return s.unclosed(len(s.rest))
}

// character reports whether one character stands here, and the mark that ends it.
func character(text string) bool {
	_, size := utf8.DecodeRuneInString(text)
	return strings.HasPrefix(text, `\`) || strings.HasPrefix(text[size:], "'")
}

// unclosed is how long a string is that the line ends: none, where the mark may well
// have been an apostrophe or a lifetime.
func (s *scanner) unclosed(n int) int {
	if s.rest[0] == '\'' {
		return 0
	}
	return n
}

// word is what a word is, by its looks and by what follows.
func (s *scanner) word(word, after string) Kind {
	known := word
	if s.of.anyCase {
		known = strings.ToLower(word)
	}
	switch {
	case s.of.markup:
		return s.marked()
	case s.of.words[known]:
		return Keyword
	case s.of.types[known]:
		return Type
	case s.of.keyed && s.begins() && strings.HasPrefix(strings.TrimLeft(after, " \t"), s.of.keySign):
		return Attribute
	case strings.HasPrefix(after, "("):
		return Function
	case s.of.classes && capital(word):
		return Type
	}
	return Plain
}

func capital(word string) bool {
	c, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(c)
}

// marked is a word of markup: the name of a tag or of one of its attributes.
func (s *scanner) marked() Kind {
	if !s.inTag {
		return Plain
	}
	if before := s.before(); strings.HasSuffix(before, "<") || strings.HasSuffix(before, "</") {
		return Tag
	}
	return Attribute
}

// begins reports whether nothing but blanks, dashes and brackets stand before on
// this line.
func (s *scanner) begins() bool {
	before := s.before()
	return strings.Trim(before[strings.LastIndexByte(before, '\n')+1:], " \t-[") == ""
}

// enclosed is the length of what stands between two marks, both included, or of all
// there is where it is not closed.
func enclosed(text, open, end string) int {
	n := strings.Index(text[len(open):], end)
	if n < 0 {
		return len(text)
	}
	return len(open) + n + len(end)
}

// span is the length of the runes at the beginning that belong.
func span(text string, belongs func(rune) bool) int {
	n := strings.IndexFunc(text, func(c rune) bool { return !belongs(c) })
	if n < 0 {
		return len(text)
	}
	return n
}
