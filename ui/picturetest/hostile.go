package picturetest

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// RequireInert fails where a picture holds anything but text and colours of ours.
func RequireInert(t require.TestingT, content string) {
	for rest := content; rest != ""; {
		before, after, escape := strings.Cut(rest, "\x1b")
		for _, r := range before {
			require.Truef(t, r == '\n' || unicode.IsPrint(r), "%U reached the screen in %q", r, before)
		}
		if !escape {
			return
		}
		if link, ok := strings.CutPrefix(after, "]8;;"); ok {
			to, more, closed := strings.Cut(link, "\a")
			require.True(t, closed)
			require.Regexp(t, "^(|(https?://|file:///)[!-~]+)$", to)
			rest = more
			continue
		}
		end := strings.IndexByte(after, 'm')
		require.Truef(t, end > 0 && after[0] == '[' && strings.Trim(after[1:end], "0123456789;:") == "", "a sequence reached the screen: %q", after[:min(20, len(after))])
		require.NotContains(t, after[:end], "[8", "text was concealed")
		rest = after[end+1:]
	}
}

// RequireNarrow fails where a line is wider than the screen, or a line too many.
func RequireNarrow(t require.TestingT, content string, width, height int) {
	lines := strings.Split(content, "\n")
	require.LessOrEqual(t, len(lines), max(1, height))
	for _, line := range lines {
		require.LessOrEqualf(t, ansi.StringWidth(line), width, "%q", line)
	}
}

// HostileText draws what a model, a tool or a file might hold.
func HostileText() *rapid.Generator[string] {
	pieces := []string{
		"\x1b[2J", "\x1b]0;title\a", "\x1b]8;;https://evil\x1b\\x\x1b]8;;\x1b\\", "\x1bP$q\x1b\\", "\x9b31m", "\u009b2J", "\xc3\x1b[H",
		"\r", "\b\b", "\a", "\x0e", "\x7f", "\u202e", "\u2066", "\u200b", "\U000e0041", "\ufeff", "&#27;[2J", "&#x1b;[31m", "&lrm;", "&#8238;", "&NewLine;",
		"\n", "\n\n", "```", "~~~\n", "# ", "- ", "1. ", "> ", "| a | b |\n|---|---|\n| c | d |\n", "[a](javascript:x)", "https://evil\u202e/\x1b]8;;x\a", "http://a.b/(c)d?e=f&g", "file:///etc/passwd", "../up", "/etc/passwd:1", "<b>", "![i](http://x)", "**", "`",
		"漢字", "👨\u200d👩", "e\u0301", "plain words", strings.Repeat("long", 40), "\t",
	}
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(1, 8).Draw(t, "pieces") {
			b.WriteString(rapid.SampledFrom(pieces).Draw(t, "piece"))
		}
		return b.String()
	})
}
