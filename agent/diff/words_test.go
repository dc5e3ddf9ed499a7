package diff

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// marked is a line with its changed words in brackets.
func marked(line string, changed []Span) string {
	var b strings.Builder
	at := 0
	for _, s := range changed {
		b.WriteString(line[at:s.From] + "[" + line[s.From:s.To] + "]")
		at = s.To
	}
	return b.String() + line[at:]
}

func TestTheWordsInWhichLinesDifferAreMarked(t *testing.T) {
	for _, test := range [][4]string{
		{"func Refund(n int) int { return n }", "func Refund(n, fee int) int { return n - fee }", "func Refund(n int) int { return n }", "func Refund(n[, fee ]int) int { return n[ - fee] }"},
		{"return n - fee // and more", "return n - 2*fee // and more", "return n - fee // and more", "return n - [2*]fee // and more"},
		{"the old name of it", "the new name of it", "the [old] name of it", "the [new] name of it"},
		{"for one and two, three", "for one or two, four", "for one [and] two, [three]", "for one [or] two, [four]"},
		{"größe = 漢字 + 1", "größe = 漢語 + 1", "größe = [漢字] + 1", "größe = [漢語] + 1"},
		{"nothing alike", "some other words", "nothing alike", "some other words"},
		{"same", "same", "same", "same"},
		{"", "new", "", "new"},
		{"old", "", "old", ""},
	} {
		gone, came := Words(test[0], test[1])
		require.Equal(t, test[2], marked(test[0], gone), test[0])
		require.Equal(t, test[3], marked(test[1], came), test[0])
	}
}

// A minified file is one line: it must not hold up who looks at it.
func TestLongLinesAreComparedAtTheirEndsOnly(t *testing.T) {
	long := strings.Repeat("a,b;", 20_000)
	gone, came := Words(long+"x"+";"+long, long+"y"+";"+long)
	require.Equal(t, []Span{{len(long), len(long) + 1}}, came)
	require.Equal(t, gone, came)
}

func FuzzWords(f *testing.F) {
	f.Add("a b c", "a d c")
	f.Add("\xff\xfe", "\xff")
	f.Fuzz(func(t *testing.T, before, after string) {
		gone, came := Words(before, after)
		for line, changed := range map[string][]Span{before: gone, after: came} {
			require.Equal(t, line, strings.Join(parts(line, changed), ""))
		}
	})
}

// parts are the changed and the other parts of a line, in their order.
func parts(line string, changed []Span) []string {
	var all []string
	at := 0
	for _, s := range changed {
		all = append(all, line[at:s.From], line[s.From:s.To])
		at = s.To
	}
	return append(all, line[at:])
}
