package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/base"
	"pawl/internal/host"
)

func TestAFirstWordOfAnotherProgramNamesWhatLeadsHere(t *testing.T) {
	for line, want := range map[string]string{
		"exec":          `pawl -p "…"`,
		"run the tests": `pawl -p "…"`,
		"login":         "pawl doctor says which are set",
		"config":        "config.toml",
		"mcp list":      ".mcp.json",
		"help exec":     `pawl -p "…"`,
		"help nothing":  `no help on "nothing" (subjects: doctor, `,
		"sesions":       `did you mean "sessions"?`,
		"shwo 4f2a":     `did you mean "show"?`,
		"zzz":           `in quotes: pawl "…"`,
	} {
		var out, errs bytes.Buffer
		code := Execute(t.Context(), strings.Fields(line), base.World{Out: &out, Err: &errs})
		require.Equal(t, host.ExitUsage, code, line)
		require.Contains(t, errs.String(), want, line)
		require.Equal(t, 1, strings.Count(errs.String(), "\n"), line)
		require.NotContains(t, errs.String(), "doctor\"?", line)
	}
	for word := range foreignCommands {
		require.NotContains(t, commandNames(newGrammar(t, &commandLine{}).Model), word)
	}
}

func TestTheShortFlagsAreThoseOfOtherPrograms(t *testing.T) {
	for line, want := range map[string]commandLine{
		"-c":                         {Chat: chatCommand{Continue: true}},
		"-r":                         {Chat: chatCommand{Resume: true}},
		"--resume -p hi":             {Chat: chatCommand{Resume: true, Print: true, Prompt: []string{"hi"}}},
		"-r 4f2a":                    {Chat: chatCommand{Session: "4f2a"}},
		"--resume=4f2a":              {Chat: chatCommand{Session: "4f2a"}},
		"-p --resume 4f2a and now":   {Chat: chatCommand{Session: "4f2a", Print: true, Prompt: []string{"and", "now"}}},
		"-p -- what is --resume for": {Chat: chatCommand{Print: true, Prompt: []string{"what", "is", "--resume", "for"}}},
		"-v":                         {Chat: chatCommand{ShowVersion: true}},
	} {
		var got commandLine
		_, err := parse(newGrammar(t, &got), promptFirst(sessionBehindResume(strings.Fields(line))))
		require.NoError(t, err, line)
		require.Equal(t, want.Chat.Continue, got.Chat.Continue, line)
		require.Equal(t, want.Chat.Resume, got.Chat.Resume, line)
		require.Equal(t, want.Chat.Session, got.Chat.Session, line)
		require.Equal(t, want.Chat.Print, got.Chat.Print, line)
		require.Equal(t, want.Chat.Prompt, got.Chat.Prompt, line)
		require.Equal(t, want.Chat.ShowVersion, got.Chat.ShowVersion, line)
	}
}

func TestVersionIsAFlagToo(t *testing.T) {
	for _, flag := range []string{"--version", "-v"} {
		var out, errs bytes.Buffer
		require.Zero(t, Execute(t.Context(), []string{flag}, base.World{Out: &out, Err: &errs}))
		require.Contains(t, out.String(), "pawl ")
		require.Empty(t, errs.String())
	}
}

func TestWordsThatAreNoCommandAreThePromptOfTheScreen(t *testing.T) {
	app := newGrammar(t, &commandLine{}).Model
	for words, want := range map[string]bool{
		"":                    true,
		"fix the tests":       true, // each a word of its own
		"quoted is it":        true,
		"sesions --all there": false,
		"run the tests":       false,
		"hello":               false,
	} {
		require.Equal(t, want, meansPrompt(strings.Fields(words), app), words)
	}
	require.True(t, meansPrompt([]string{"run the tests"}, app), "it was quoted")
}
