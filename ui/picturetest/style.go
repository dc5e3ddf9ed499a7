package picturetest

import (
	"fmt"
	"image/color"
	"regexp"
	"slices"
	"strconv"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// style is how a cell looks, in words: the colour of the text as "#rrggbb", that
// of what is behind it as "on:#rrggbb", and what else there is, in this order.
// Empty is the terminal's own.
type style string

func styleOf(s uv.Style) style {
	var words []string
	if s.Fg != nil {
		words = append(words, hex(s.Fg))
	}
	if s.Bg != nil {
		words = append(words, "on:"+hex(s.Bg))
	}
	for _, attribute := range []struct {
		has  uint8
		word string
	}{
		{uv.AttrBold, "bold"},
		{uv.AttrFaint, "faint"},
		{uv.AttrItalic, "italic"},
		{uv.AttrReverse, "reverse"},
		{uv.AttrStrikethrough, "struck"},
	} {
		if s.Attrs&attribute.has != 0 {
			words = append(words, attribute.word)
		}
	}
	if s.Underline != ansi.UnderlineNone {
		words = append(words, "underlined")
	}
	return style(strings.Join(words, " "))
}

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

func (s style) has(word string) bool { return slices.Contains(strings.Fields(string(s)), word) }

// seen reports whether a blank cell of this style is one that can be seen.
func (s style) seen() bool {
	return strings.Contains(string(s), "on:") || s.has("reverse") || s.has("underlined") || s.has("struck")
}

// stretch is cells of one row that look alike, from the first to the last.
type stretch struct {
	from, to int
	style    style
	text     string
}

// stretches are the parts of a row that have a style. Blank cells where none can be
// seen belong to the stretch around them, or to none.
func stretches(row []cell) []stretch {
	var found []stretch
	gap := "" // blanks since the last of found
	for x, c := range row {
		switch last := len(found) - 1; {
		case c.width == 0: // the rest of a wide one
			if last >= 0 && found[last].to == x-1 {
				found[last].to = x
			}
		case c.style == "", c.blank() && !c.style.seen():
			gap += c.text
			if !c.blank() {
				gap += "\x00" // nothing reaches over it
			}
		case last >= 0 && found[last].style == c.style && !strings.Contains(gap, "\x00") && found[last].to+len(gap)+1 == x:
			found[last].text += gap + c.text
			found[last].to, gap = x, ""
		default:
			found = append(found, stretch{x, x, c.style, c.text})
			gap = ""
		}
	}
	return found
}

// Styles are the looks of the screen: a line a row that has any, each stretch of
// cells with its columns from 0 on, its style and, for people, its text.
func (s Screen) Styles() string {
	var b strings.Builder
	for y, row := range s.rows {
		parts := stretches(row)
		if len(parts) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%2d:", y)
		for _, part := range parts {
			fmt.Fprintf(&b, "  %d-%d %s %s", part.from, part.to, part.style, quoted(part.text))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// quoted is a text in quotes, in which a long row of one sign is the sign and how
// often.
func quoted(text string) string {
	var b strings.Builder
	signs := []rune(text)
	for i := 0; i < len(signs); {
		n := 1
		for i+n < len(signs) && signs[i+n] == signs[i] {
			n++
		}
		if n > 8 {
			fmt.Fprintf(&b, "%c×%d", signs[i], n)
		} else {
			b.WriteString(string(signs[i : i+n]))
		}
		i += n
	}
	return strconv.Quote(b.String())
}

var written = regexp.MustCompile(`(\d+)-(\d+) ([a-z0-9#: ]+) "(?:[^"\\]|\\.)*"`)

// Read is the screen of which this is the text, and these are the styles.
func Read(text, styles string, width, height int) Screen {
	s := Draw(strings.TrimRight(text, "\n"), width, height)
	for _, line := range strings.Split(styles, "\n") {
		row, parts, ok := strings.Cut(line, ":")
		y, err := strconv.Atoi(strings.TrimSpace(row))
		if !ok || err != nil || y >= height {
			continue
		}
		for _, part := range written.FindAllStringSubmatch(parts, -1) {
			from, _ := strconv.Atoi(part[1]) // the pattern has digits alone
			to, _ := strconv.Atoi(part[2])
			for x := from; x <= to && x < width; x++ {
				s.rows[y][x].style = style(part[3])
			}
		}
	}
	return s
}
