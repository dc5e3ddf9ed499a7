package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/base"
	"pawl/internal/system"
)

func TestAFirstWordOfAnotherProgramNamesWhatLeadsHere(t *testing.T) {
	for line, want := range map[string]string{
		"exec":          `pawl -p "…"`,
		"run the tests": `pawl -p "…"`,
		"auth":          "pawl login NAME keeps the key of a provider",
		"config":        "config.toml",
		"mcp lst":       `did you mean "list"?`,
		"help exec":     `pawl -p "…"`,
		"help nothing":  `no help on "nothing" (subjects: attach, changes, commands, doctor, `,
		"sesions":       `did you mean "sessions"?`,
		"shwo 4f2a":     `did you mean "show"?`,
		"zzz":           `in quotes: pawl "…"`,
	} {
		var out, errs bytes.Buffer
		code := Execute(t.Context(), strings.Fields(line), base.World{Out: &out, Err: &errs})
		require.Equal(t, system.ExitUsage, code, line)
		require.Contains(t, errs.String(), want, line)
		require.Equal(t, 1, strings.Count(errs.String(), "\n"), line)
		require.NotContains(t, errs.String(), "doctor\"?", line)
	}
	for word := range foreignCommands {
		require.NotContains(t, commandNames(newCommandTree(&base.World{})), word)
	}
}

func TestTheShortFlagsAreThoseOfOtherPrograms(t *testing.T) {
	for line, want := range map[string]string{
		"-c":                         "--continue=true",
		"-r":                         "--resume=true",
		"--resume -p hi":             "--print=true --resume=true hi",
		"-r 4f2a":                    "--session=4f2a",
		"--resume=4f2a":              "--session=4f2a",
		"-p --resume 4f2a and now":   "--print=true --session=4f2a and now",
		"-p -- what is --resume for": "--print=true what is --resume for",
		"-cp export the data":        "--continue=true --print=true export the data",
		"-p sessions --model demo":   "--model=demo --print=true sessions",
		"-v":                         "--version=true",
	} {
		read, err := parsed(strings.Fields(line)...)
		require.NoError(t, err, line)
		require.Equal(t, "pawl", read.cmd.Name(), line)
		require.Equal(t, want, read.String(), line)
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
	root := newCommandTree(&base.World{})
	for words, want := range map[string]bool{
		"":                    true,
		"fix the tests":       true, // each a word of its own
		"quoted is it":        true,
		"sesions --all there": false,
		"run the tests":       false,
		"hello":               false,
	} {
		require.Equal(t, want, meansPrompt(strings.Fields(words), root), words)
	}
	require.True(t, meansPrompt([]string{"run the tests"}, root), "it was quoted")
}
