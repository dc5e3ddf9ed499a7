package completion

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatIsTypedSaysWhatItIsCompletedBy(t *testing.T) {
	theme := Command{Name: "/theme", Words: true}
	commands := []Command{{Name: "/cost"}, theme}
	for text, want := range map[string]Part{
		"":             {},
		"hello":        {},
		"/":            {Kind: Commands, Words: "/"},
		"/th":          {Kind: Commands, Words: "/th"},
		"/theme da":    {Kind: Words, From: 7, Words: "da", Command: theme},
		"/theme a\nb":  {},
		"/cost @a":     {}, // it takes no words
		"/usr/bin/x":   {},
		"look at @a/b": {Kind: Files, From: 8, Words: "a/b"},
	} {
		require.Equal(t, want, PartAt(text, len(text), commands, true), text)
	}
	require.Equal(t, Part{}, PartAt("/th", 3, nil, true), "a line that takes no commands")
	require.Equal(t, Part{}, PartAt("@a", 2, commands, false), "and without files")
}

func TestAListThatWasShutOpensForAnotherPart(t *testing.T) {
	line := func(text string) Line { return Line{Session: "s", Text: text, Cursor: len(text)} }
	var l List
	at := func(text string) bool {
		part := PartAt(text, len(text), []Command{{Name: "/cost"}, {Name: "/copy"}}, true)
		wanted, _ := l.Follow(line(text), part, true)
		if wanted {
			l.OfferCommands([]Command{{Name: "/cost"}, {Name: "/copy"}})
		}
		return l.Stands(line(text))
	}
	require.True(t, at("/c"))
	l.Shut()
	require.False(t, at("/co"))
	require.False(t, at(""))
	require.True(t, at("/co"))
	require.Equal(t, []string{"/cost", "/copy"}, l.Candidates())
	require.False(t, l.Stands(line("/cop")), "a list holds for its line alone")
}
