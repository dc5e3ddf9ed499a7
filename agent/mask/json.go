package mask

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"pawl/agent/sanitize"
)

// JSON appends one valid JSON text to dst, with the secrets in its strings masked, field
// names included, and everything that could act on a terminal escaped. Everything else is
// copied byte by byte, so that the value decodes as before.
func (m Mask) JSON(dst, src []byte) []byte {
	if plain(src) && m.idle(src) {
		return append(dst, src...)
	}
	name := "" // of the field whose value comes next
	for i := 0; i < len(src); {
		c := src[i]
		if c != '"' {
			if c != ':' && c != ' ' && c != '\n' {
				name = ""
			}
			dst = append(dst, c)
			i++
			continue
		}
		literal := src[i : i+stringLength(src[i:])]
		i += len(literal)
		s := unquote(literal)
		next := m.Text(s)
		switch {
		case isName(src[i:]):
			name = s
		case len(s) > 0 && SecretName(name):
			next = Masked
		}
		if next == s && plain(literal) {
			dst = append(dst, literal...)
		} else {
			dst = quote(dst, next)
		}
	}
	return dst
}

// Encode writes a value as masked JSON, indented by two spaces.
func (m Mask) Encode(w io.Writer, value any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(m.JSON(nil, text.Bytes()))
	return err
}

// plain reports whether JSON bytes are printable ASCII without \u escapes, so that nothing
// needs escaping and nothing is hidden by its spelling.
func plain(src []byte) bool {
	for _, c := range src {
		if c >= 0x7f || c < ' ' && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return !bytes.Contains(src, []byte(`\u`))
}

// stringLength is the length of the string literal at the start of src.
func stringLength(src []byte) int {
	for i := 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	panic("mask: a string of a valid JSON text has no end")
}

// isName reports whether a colon follows, which makes the string before it a field name.
func isName(rest []byte) bool {
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return len(rest) > 0 && rest[0] == ':'
}

func unquote(literal []byte) string {
	inner := literal[1 : len(literal)-1]
	if !bytes.Contains(inner, []byte{'\\'}) && utf8.Valid(inner) {
		return string(inner)
	}
	var s string
	if err := json.Unmarshal(literal, &s); err != nil { // the caller's text was valid
		panic("mask: read string: " + err.Error())
	}
	return s
}

// quote appends s as a JSON string in which only printable characters stand for
// themselves. Characters that are special to HTML are escaped too.
func quote(dst []byte, s string) []byte {
	dst = append(dst, '"')
	marks := 0
	for _, r := range s {
		if marks++; !unicode.Is(unicode.M, r) {
			marks = 0
		}
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r == '\t':
			dst = append(dst, '\\', 't')
		case r == '\r':
			dst = append(dst, '\\', 'r')
		case r == '<' || r == '>' || r == '&' || hiddenRune(r) || marks > sanitize.MarksKept:
			dst = escapeRune(dst, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// hiddenRune reports whether people cannot see r: a control, a bidi mark, a line or
// paragraph separator, a private-use character, or one without a glyph.
func hiddenRune(r rune) bool {
	return r < ' ' || r >= 0x7f && (sanitize.Invisible(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) || !unicode.IsGraphic(r))
}

func escapeRune(dst []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
		return fmt.Appendf(dst, `\u%04x\u%04x`, high, low)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}
