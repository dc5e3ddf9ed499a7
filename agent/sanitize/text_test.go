package sanitize

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestClean(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain":                   {"go test ./...\n", "go test ./...\n"},
		"tab":                     {"a\tb", "a    b"},
		"line end of Windows":     {"a\r\nb", "a\nb"},
		"lone return is seen":     {"rm -rf /\rls", "rm -rf /␍ls"},
		"escape is seen":          {"\x1b[2J", "␛[2J"},
		"bell, backspace, delete": {"\a\b\x7f", "␇␈␡"},
		"C1 as a rune":            {"\u009b2J", "\uFFFD2J"},
		"C1 as a byte":            {"\x9b2J", "\uFFFD2J"},
		"broken lead byte":        {"\xc3\x1b[2J", "\uFFFD␛[2J"},
		"direction override":      {"a\u202egpj.exe", "a\uFFFDgpj.exe"},
		"zero width":              {"pay\u200bpal", "pay\uFFFDpal"},
		"joiner between Latin":    {"r\u200dm", "r\uFFFDm"},
		"tag characters":          {"a\U000e0041", "a\uFFFD"},
		"hidden selectors":        {"😀\ufe00\U000e0101", "😀\uFFFD\uFFFD"},
		"emoji with a selector":   {"❤\ufe0f ok", "❤ ok"},
		"family of emoji":         {"👨\u200d👩", "👨👩"},
		"Persian":                 {"می\u200cخواهم", "میخواهم"},
		"wide and composed":       {"漢字 e\u0301", "漢字 e\u0301"},
		"hard space":              {"a\u00a0b\u3000c", "a b  c"},
		"line separator":          {"a\u2028b", "a\uFFFDb"},
		"private use":             {"\ue000", "\uFFFD"},
		"marks pile up":           {"a" + strings.Repeat("\u0301", 40), "a" + strings.Repeat("\u0301", MarksKept)},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, Text(c.want), Clean(c.in)) })
	}
}

func TestLine(t *testing.T) {
	require.Equal(t, Text("a b c ␛"), Line("a\n\nb\r\n\tc \x1b"))
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "\x1b]0;x\a", "\xc3\x1b[2J", "a\u202eb", "\r\n\r", "👨\u200d👩\ufe0f", "e\u0301", "\xe2\x80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		clean := Clean(s)
		require.True(t, utf8.ValidString(string(clean)))
		for _, r := range string(clean) {
			if r != '\n' && (!unicode.IsPrint(r) || Invisible(r)) {
				t.Fatalf("%q let %U through", s, r)
			}
		}
		require.Equal(t, clean, Clean(string(clean)), "not idempotent for %q", s)
		require.NotContains(t, string(Line(s)), "\n")
	})
}
