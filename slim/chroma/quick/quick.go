// Package quick writes highlighted code.
package quick

import (
	"io"
	"strconv"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/styles"
)

// Highlight writes source in colours for a terminal. language is the word behind a
// fence; of one that it does not know, only strings and numbers are told apart, and
// without one nothing is. The colours are written in full, whatever the formatter:
// the screen brings them down to what a terminal has. A style that does not exist
// is no colours.
func Highlight(w io.Writer, source, language, _, style string) error {
	var b strings.Builder
	look := styles.Registry[style]
	for _, token := range chroma.Tokens(language, source) {
		on := sequence(look.Look(token.Type))
		if on == "" {
			b.WriteString(token.Text)
			continue
		}
		for i, line := range strings.Split(token.Text, "\n") { // what follows indents each line by itself
			if i > 0 {
				b.WriteByte('\n')
			}
			if line != "" {
				b.WriteString(on + line + "\x1b[0m")
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// sequence turns a look on.
func sequence(look string) string {
	var codes []string
	for word := range strings.FieldsSeq(look) {
		switch {
		case word == "bold":
			codes = append(codes, "1")
		case word == "italic":
			codes = append(codes, "3")
		case word == "underline":
			codes = append(codes, "4")
		case strings.HasPrefix(word, "bg:#"):
			codes = append(codes, colour("48", word[len("bg:#"):]))
		case strings.HasPrefix(word, "#"):
			codes = append(codes, colour("38", word[1:]))
		}
	}
	if len(codes) == 0 {
		return ""
	}
	return "\x1b[" + strings.Join(codes, ";") + "m"
}

func colour(ground, hex string) string {
	n, _ := strconv.ParseUint(hex, 16, 32) // black, where it is none
	parts := []string{ground, "2"}
	for _, shift := range []int{16, 8, 0} {
		parts = append(parts, strconv.FormatUint(n>>shift&0xff, 10))
	}
	return strings.Join(parts, ";")
}
