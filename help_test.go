package main

import (
	"bytes"
	"pawl/internal/host"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHelpListsEveryFlag(t *testing.T) {
	var out, errs bytes.Buffer
	code := execute(t.Context(), []string{"--help"}, world{out: &out, err: &errs})
	require.Zero(t, code)
	require.Empty(t, errs.String())
	for _, flag := range []string{
		"-p, --print", "--output-format", "--continue", "--session", "--agents", "--drain-timeout", "--model", "--permission-mode",
	} {
		require.Contains(t, out.String(), flag)
	}
	for _, command := range []string{"sessions", "show", "export", "import", "replay", "rm", "doctor", "demo", "version"} {
		require.Contains(t, out.String(), "\n  "+command)
	}
}

func TestHelpOfACommandListsItsOwnFlagsAlone(t *testing.T) {
	var out bytes.Buffer
	code := execute(t.Context(), []string{"export", "--help"}, world{out: &out, err: &out})
	require.Zero(t, code)
	require.Contains(t, out.String(), "--force")
	require.NotContains(t, out.String(), "--drain-timeout")
}

func TestALetterThatIsNoFlagNamesTheFlagThatBeginsWithIt(t *testing.T) {
	for _, row := range []struct {
		args []string
		want string
	}{
		{[]string{"-s", "abc"}, `unknown flag -s, did you mean "--session"?`},
		{[]string{"-m", "demo", "-p", "hi"}, `unknown flag -m, did you mean "--model"?`},
		{[]string{"export", "-f", "json", "abc"}, `unknown flag -f, did you mean "--format"?`},
		{[]string{"doctor", "-j"}, `unknown flag -j, did you mean "--json"?`},
		{[]string{"-z"}, "unknown flag -z"},
		{[]string{"doctor", "--jsn"}, `"--json"`},
	} {
		var out, errs bytes.Buffer
		code := execute(t.Context(), row.args, world{out: &out, err: &errs})
		require.Equal(t, host.ExitUsage, code, row.args)
		require.Contains(t, errs.String(), row.want)
		require.Equal(t, 1, strings.Count(errs.String(), "\n"))
	}
}

func TestWhatGoesWithAPromptAloneOpensNoScreen(t *testing.T) {
	for _, flag := range []string{
		"--output-format=json", "--input-format=stream-json", "--include-partial-messages", "--agents=stop", "--drain-timeout=3s",
	} {
		var out, errs bytes.Buffer
		require.Equal(t, host.ExitUsage, execute(t.Context(), []string{"--continue", flag}, world{out: &out, err: &errs}), flag)
		name, _, _ := strings.Cut(flag, "=")
		require.Equal(t, "pawl: "+name+" goes with -p: pawl -p \"…\"\n", errs.String())
		require.Empty(t, out.String())
	}
}
