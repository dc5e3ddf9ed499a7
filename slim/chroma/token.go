package chroma

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Token is a piece of code that looks like one thing.
type Token struct {
	Type TokenType
	Text string
}

// Tokens takes source apart: the texts of all tokens together are source again.
func Tokens(language, source string) []Token {
	switch l := find(language); {
	case l == nil:
		return []Token{{Text, source}}
	case l.lines != nil:
		return byLine(source, l.lines)
	default:
		s := scanner{of: l, rest: source}
		for s.rest != "" {
			s.step()
		}
		return s.tokens
	}
}

// byLine gives each line the type that its beginning says.
func byLine(source string, of func(line string) TokenType) []Token {
	var tokens []Token
	for line := range strings.Lines(source) {
		tokens = append(tokens, Token{of(line), line})
	}
	return tokens
}

// scanner walks through a piece of code.
type scanner struct {
	of     *language
	rest   string
	tokens []Token
	inTag  bool // of markup: between < and >
}

// take makes the next n bytes a token. Plain ones are joined.
func (s *scanner) take(t TokenType, n int) {
	if last := len(s.tokens) - 1; last >= 0 && s.tokens[last].Type == t && t == Text {
		s.tokens[last].Text += s.rest[:n]
	} else {
		s.tokens = append(s.tokens, Token{t, s.rest[:n]})
	}
	s.rest = s.rest[n:]
}

func (s *scanner) step() {
	if n := s.comment(); n > 0 {
		s.take(Comment, n)
		return
	}
	if n := s.quoted(); n > 0 {
		t := LiteralString
		if s.of.keyed && strings.HasPrefix(strings.TrimLeft(s.rest[n:], " \t"), ":") {
			t = NameAttribute
		}
		s.take(t, n)
		return
	}
	switch c, size := utf8.DecodeRuneInString(s.rest); {
	case unicode.IsDigit(c):
		s.take(LiteralNumber, span(s.rest, func(c rune) bool { return unicode.IsDigit(c) || unicode.IsLetter(c) || c == '.' || c == '_' }))
	case unicode.IsLetter(c) || c == '_':
		n := span(s.rest, s.of.wordly)
		s.take(s.word(s.rest[:n], s.rest[n:]), n)
	case s.of.markup && (c == '<' || c == '>'):
		s.inTag = c == '<'
		s.take(Text, size)
	default:
		s.take(Text, size)
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
	if len(s.tokens) == 0 {
		return false
	}
	before := s.tokens[len(s.tokens)-1].Text
	return !strings.ContainsAny(before[len(before)-1:], " \t\n;(")
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
func (s *scanner) word(word, after string) TokenType {
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
		return KeywordType
	case s.of.keyed && s.begins() && strings.HasPrefix(strings.TrimLeft(after, " \t"), s.of.keySign):
		return NameAttribute
	case strings.HasPrefix(after, "("):
		return NameFunction
	case s.of.classes && unicode.IsUpper([]rune(word)[0]):
		return KeywordType
	}
	return Text
}

// marked is a word of markup: the name of a tag or of one of its attributes.
func (s *scanner) marked() TokenType {
	if !s.inTag {
		return Text
	}
	if before := s.tokens[len(s.tokens)-1].Text; strings.HasSuffix(before, "<") || strings.HasSuffix(before, "</") {
		return NameTag
	}
	return NameAttribute
}

// begins reports whether nothing but blanks and a dash stand before on this line.
func (s *scanner) begins() bool {
	if len(s.tokens) == 0 {
		return true
	}
	before := s.tokens[len(s.tokens)-1].Text
	return strings.Trim(before[strings.LastIndexByte(before, '\n')+1:], " \t-[") == "" && (len(s.tokens) == 1 || strings.Contains(before, "\n"))
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
