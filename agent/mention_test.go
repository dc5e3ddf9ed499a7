package agent

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMentionsAreWordsThatBeginWithTheSign(t *testing.T) {
	for text, want := range map[string][]Mention{
		"":                              nil,
		"write to a@b.example":          nil,
		"@":                             nil,
		"see @refund.go.":               {{"refund.go.", false}},
		"(@a.go) and @a.go @a.go":       {{"a.go)", false}, {"a.go", false}},
		"@src/ and\n@漢字/b.md":           {{"src/", false}, {"漢字/b.md", false}},
		`@"a b.md", @"say \"hi\" \\ x"`: {{"a b.md", true}, {`say "hi" \ x`, true}},
		"@\"never closed\nnext @b":      {{"never closed", true}, {"b", false}},
		`@app.route("/x")`:              {{`app.route("/x")`, false}},
		"@\"\" and @\x00\xff":           {{"\x00\xff", false}},
	} {
		require.Equal(t, want, Mentions(text), "%q", text)
	}
	require.Equal(t, "refund.go", Mention{Name: "refund.go."}.Bare())
	require.Equal(t, "odd.", Mention{Name: "odd.", Quoted: true}.Bare())
}

func TestMentionAtIsTheOneInFrontOfTheCursor(t *testing.T) {
	for text, want := range map[string]string{
		"look at @|":              "8 ",
		"look at @re|fund.go":     "8 re",
		"look at @re |":           "",
		"a@b|":                    "",
		`@"a b|`:                  "0 a b",
		`@"a b"|`:                 "",
		`@"a \"b|`:                `0 a "b`,
		`@"a b" @c|`:              "7 c",
		"@one (@src/tw|":          "6 src/tw",
		"@\"never\nclosed @sh|":   "15 sh",
		"nothing|":                "",
		"|@behind":                "",
		"@漢|字":                    "0 漢",
		"@a@b|":                   "0 a@b",
		"@\"quoted at the end\\|": "0 quoted at the end\\",
	} {
		text, at := cursor(text)
		got := ""
		if start, name, ok := MentionAt(text, at); ok {
			got = fmt.Sprintf("%d %s", start, name)
		}
		require.Equal(t, want, got, "%q", text)
	}
}

// cursor takes the bar that stands for one out of a text.
func cursor(text string) (string, int) {
	for at := range text {
		if text[at] == '|' {
			return text[:at] + text[at+1:], at
		}
	}
	return text, len(text)
}

// Whatever a name holds: what is written of it is read as that name.
func FuzzMention(f *testing.F) {
	for _, name := range []string{"a.go", "a b", `"`, `\`, `a\"b`, "end.", "漢 字", "src/", `x\`, "@", "a\u00a0b"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if name == "" || strings.Contains(name, "\n") {
			t.Skip("no such name is offered")
		}
		got := Mentions("see " + Mention{Name: name}.String() + " now")
		require.NotEmpty(t, got)
		require.Equal(t, name, got[0].Bare())
	})
}

func TestReachIsWhatATextNamesInFull(t *testing.T) {
	require.Equal(t, []string{"/tmp/a.png.", "~/b c.png"}, Reach(`@a.png @../a.png @/tmp/a.png. @"~/b c.png" me@/tmp/c.png`))
	require.Empty(t, Reach("nothing"))
}
