package words

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestALineHasSingleSpacesAlone(t *testing.T) {
	for text, want := range map[string]string{"": "", " \n\t": "", "a": "a", " a \r\n\n b\tc ": "a b c"} {
		require.Equal(t, want, Line(text), "%q", text)
	}
}

func TestTheFirstAndTheLastLineSaySomething(t *testing.T) {
	for text, want := range map[string][2]string{
		"": {"", ""}, " \n\r\n": {"", ""}, "a": {"a", "a"}, "\n  a \n\n b \n\n": {"a", "b"}, "a\r\nb\r\n": {"a", "b"}, "10%\r20%\rdone": {"10%", "done"},
	} {
		require.Equal(t, want, [2]string{FirstLine(text), LastLine(text)}, "%q", text)
	}
}

func TestTheLastLineThatSaysSomethingHasALetterOrADigit(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "-": "", " \n- \n": "", "a\n-": "a", "a\n\n- \n---\n": "a", "Two:\n\n1.": "1.", "- b\n- ": "- b", "漢字\n```\n": "漢字", "a\nb": "b",
	} {
		require.Equal(t, want, LastSaid(text), "%q", text)
	}
}

func TestWhatIsCutIsNoLongerThanSaid(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"", 0, ""},
		{"abc", -1, ""},
		{"abc", 0, ""},
		{"abc", 1, "…"},
		{"abc", 2, "a…"},
		{"abc", 3, "abc"},
		{"漢字漢字", 3, "漢字…"},
		{"漢字漢字", 4, "漢字漢字"},
		{"two words", 5, "two…"},
		{"  two", 4, "  t…"},
		{"a\xff", 9, "a\uFFFD"},
		{"\xff\xff\xff", 2, "\uFFFD…"},
	} {
		require.Equal(t, c.want, Cut(c.text, c.n), "%q to %d", c.text, c.n)
	}
}

func TestACutLineIsTheLineCut(t *testing.T) {
	for _, text := range []string{"", " ", "a", " a\n b ", "one two  three\nfour", strings.Repeat("漢", 9), "ab \xff\n\n c"} {
		for n := range 24 {
			require.Equal(t, Cut(Line(text), n), CutLine(text, n), "%q to %d", text, n)
		}
	}
}

func TestACutInBytesSplitsNoRune(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"abcde", 5, "abcde"},
		{"abcdef", 5, "ab…"},
		{"abcdef", 3, "…"},
		{"abcdef", 2, "ab"},
		{"漢字漢", 8, "漢…"},
		{"漢字", 2, ""},
		{"abc", -1, ""},
		{"a\xff", 9, "a\uFFFD"},
	} {
		require.Equal(t, c.want, CutBytes(c.text, c.n), "%q to %d", c.text, c.n)
		require.LessOrEqual(t, len(CutBytes(c.text, c.n)), max(0, c.n))
	}
}

func TestTheFirstAndTheLastRunesAreTheTextsOwn(t *testing.T) {
	const text = "a漢\xff字z"
	for n := -1; n <= utf8.RuneCountInString(text)+1; n++ {
		first, last := First(text, n), Last(text, n)
		require.True(t, strings.HasPrefix(text, first) && strings.HasSuffix(text, last))
		require.Equal(t, min(max(n, 0), 5), utf8.RuneCountInString(first))
		require.Equal(t, min(max(n, 0), 5), utf8.RuneCountInString(last))
	}
}
