package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"

	"pawl/agent/sanitize"
	"pawl/ui/highlight"
)

// code writes a code block. Its lines are broken at the width, not between words, with a sign
// where one continues.
func (w *writer) code(n ast.Node, language string) {
	room := Span{Text: spaces(2)}
	pushed := w.push(room, room)
	if len(w.below) > 0 { // a list marker
		w.wrapped(w.below)
		w.below = nil
	}
	code := w.codeOf(n)
	if code = code[:len(strings.TrimRight(string(code), " \n"))]; code != "" {
		lines, _ := colouredLines(code, language)
		for _, line := range lines {
			w.codeLine(line)
		}
	}
	if pushed {
		w.pop()
	}
}

// codeOf is the text of a code block: a part of the source if nothing precedes its lines.
func (w *writer) codeOf(n ast.Node) sanitize.Text {
	all := n.Lines()
	whole := all.Len() > 0
	for i := range all.Len() {
		s := all.At(i)
		whole = whole && s.Padding == 0 && (i == 0 || s.Start == all.At(i-1).Stop)
	}
	if whole {
		return w.text[all.At(0).Start:all.At(all.Len()-1).Stop]
	}
	var b strings.Builder
	for i := range all.Len() {
		s := all.At(i)
		b.WriteString(string(spaces(s.Padding) + w.at(s)))
	}
	return sanitize.Text(b.String())
}

// Open returns the lines of a code block that is not closed yet, as Render would draw it once
// closed, including trailing blank lines. The first settled lines belong to the first whole
// lines of the source and look the same whatever follows, so what comes next may be drawn on its
// own.
func Open(code sanitize.Text, language string, width int, signs Signs) (lines []Line, settled, whole int) {
	w := &writer{text: code, signs: signs, width: max(1, width)}
	room := Span{Text: spaces(2)}
	w.push(room, room)
	coloured, end := colouredLines(code, language)
	whole = strings.Count(string(code[:end]), "\n")
	for i, line := range coloured {
		if i == whole {
			settled = len(w.ends)
		}
		w.codeLine(line)
	}
	return w.lines(), settled, whole
}

// colouredLines highlights code, line by line; settled is how many bytes of it keep their looks
// whatever follows.
func colouredLines(code sanitize.Text, language string) (lines []Line, settled int) {
	tokens, settled := highlight.Tokens(language, string(code))
	spans := make([]Span, 0, len(tokens)+strings.Count(string(code), "\n"))
	began, at := 0, 0
	for _, token := range tokens {
		look := Look{Ink: InkCode, Code: token.Kind}
		for at < token.End {
			piece := code[at:token.End]
			n := strings.IndexByte(string(piece), '\n')
			if n >= 0 {
				piece = piece[:n]
			}
			if piece != "" {
				spans = append(spans, Span{piece, look})
			}
			at += len(piece)
			if n >= 0 {
				lines = append(lines, Line(spans[began:len(spans):len(spans)]))
				began = len(spans)
				at++
			}
		}
	}
	return append(lines, Line(spans[began:])), settled
}

// codeLine writes a line of code, in several pieces if needed. The later ones are indented like
// the first.
func (w *writer) codeLine(line Line) {
	room, col := w.room(), 0
	w.begin()
	if line.cells() <= room {
		w.spans = append(w.spans, line...)
		w.end()
		return
	}
	turned := w.turned(line, room)
	for _, s := range line {
		from := 0
		for at := 0; at < len(s.Text); {
			n, width := cluster(s.Text[at:])
			if col > 0 && col+width > room {
				w.put(Span{s.Text[from:at], s.Look})
				w.end()
				w.begin()
				col, from = 0, at
				for _, sign := range turned {
					w.put(sign)
					col += cells(sign.Text)
				}
			}
			at += n
			col += width
		}
		w.put(Span{s.Text[from:], s.Look})
	}
	w.end()
}

// turned precedes the rest of a line of code that was broken; nil if there is no room for it.
func (w *writer) turned(line Line, room int) Line {
	first := string(line[0].Text)
	before := len(first) - len(strings.TrimLeft(first, " "))
	if before > room/2 {
		before = 0
	}
	if before+4 > room { // the sign, a space, and a wide character
		return nil
	}
	return Line{{Text: spaces(before)}, {w.signs.Turned, Look{Ink: InkSign}}, {Text: " "}}
}
