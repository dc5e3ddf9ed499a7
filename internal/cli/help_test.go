package cli

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/docs"
	"pawl/internal/base"
	"pawl/internal/system"
	"pawl/internal/words"
)

func TestHelpListsEveryFlag(t *testing.T) {
	var out, errs bytes.Buffer
	code := Execute(t.Context(), []string{"--help"}, base.World{Out: &out, Err: &errs})
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
	code := Execute(t.Context(), []string{"export", "--help"}, base.World{Out: &out, Err: &out})
	require.Zero(t, code)
	require.Contains(t, out.String(), "--force")
	require.NotContains(t, out.String(), "--drain-timeout")
}

func TestALetterThatIsNoFlagNamesTheFlagThatBeginsWithIt(t *testing.T) {
	for _, row := range []struct {
		args []string
		want string
	}{
		{[]string{"-s", "abc"}, `unknown flag -s; did you mean "--session"?`},
		{[]string{"-m", "demo", "-p", "hi"}, `unknown flag -m; did you mean "--model"?`},
		{[]string{"export", "-f", "json", "abc"}, `unknown flag -f; did you mean "--format"?`},
		{[]string{"doctor", "-j"}, `unknown flag -j; did you mean "--json"?`},
		{[]string{"-z"}, "unknown flag -z"},
		{[]string{"doctor", "--jsn"}, `"--json"`},
	} {
		var out, errs bytes.Buffer
		code := Execute(t.Context(), row.args, base.World{Out: &out, Err: &errs})
		require.Equal(t, system.ExitUsage, code, row.args)
		require.Contains(t, errs.String(), row.want)
		require.Equal(t, 1, strings.Count(errs.String(), "\n"))
	}
}

func TestWhatGoesWithAPromptAloneOpensNoScreen(t *testing.T) {
	for _, flag := range []string{
		"--output-format=json", "--input-format=stream-json", "--include-partial-messages", "--agents=stop", "--drain-timeout=3s",
	} {
		var out, errs bytes.Buffer
		require.Equal(t, system.ExitUsage, Execute(t.Context(), []string{"--continue", flag}, base.World{Out: &out, Err: &errs}), flag)
		name, _, _ := strings.Cut(flag, "=")
		require.Equal(t, "pawl: "+name+" goes with -p: pawl -p \"…\"\n", errs.String())
		require.Empty(t, out.String())
	}
}

func TestHelpPrintsThePageOfASubject(t *testing.T) {
	for _, page := range docs.Pages() {
		var out, errs bytes.Buffer
		require.Zero(t, Execute(t.Context(), []string{"help", page.Subject}, base.World{Out: &out, Err: &errs}), page.Subject)
		require.Empty(t, errs.String())
		require.Contains(t, words.Line(out.String()), page.Idea)
		require.NotContains(t, out.String(), ".md)", "a link leads to a file: %s", page.Subject)
		require.NotContains(t, out.String(), "\x1b")
	}
}

func TestHelpForACommandThatHasAPageToReadPrintsBoth(t *testing.T) {
	var out bytes.Buffer
	require.Zero(t, Execute(t.Context(), []string{"help", "worktrees"}, base.World{Out: &out, Err: &out}))
	require.Regexp(t, `(?s)Usage:\n  pawl worktrees.*\n\nWorktrees\n\nA subagent`, out.String())
}

func TestHelpListsEverySubject(t *testing.T) {
	var out, manual bytes.Buffer
	require.Zero(t, Execute(t.Context(), []string{"help"}, base.World{Out: &out, Err: &out}))
	require.Zero(t, Execute(t.Context(), []string{"man"}, base.World{Out: &manual, Err: &out}))
	require.Contains(t, out.String(), "\n  sessions")
	offered := map[string]int{}
	for _, name := range completed(t, "help", "") {
		offered[name]++
	}
	for _, page := range docs.Pages() {
		require.Regexp(t, `\n  `+page.Subject+" +"+regexp.QuoteMeta(page.Idea)+`\n`, out.String())
		require.Contains(t, manual.String(), `"pawl help `+strings.ReplaceAll(page.Subject, "-", `\-`)+`"`)
		require.Equal(t, 1, offered[page.Subject], "what completion offers for %s", page.Subject)
	}
}

func TestHelpForAnUnknownSubjectSaysInOneLineWhichThereAre(t *testing.T) {
	var out, errs bytes.Buffer
	require.Equal(t, system.ExitUsage, Execute(t.Context(), []string{"help", "kyes"}, base.World{Out: &out, Err: &errs}))
	require.Empty(t, out.String())
	require.Contains(t, errs.String(), `no help on "kyes"; did you mean "keys"?`)
	require.Equal(t, 1, strings.Count(errs.String(), "\n"))
	for _, page := range docs.Pages() {
		require.Contains(t, errs.String(), page.Subject)
	}
}
