package cli

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"mvdan.cc/sh/v3/shell"

	"pawl/internal/base"
	"pawl/internal/system"
)

// No example rots: each is a command line that Pawl takes.
func TestEveryExampleIsACommandLine(t *testing.T) {
	root := newCommandTree(&base.World{})
	tried := 0
	for _, cmd := range append(leaves(root), root) {
		require.Contains(t, cmd.Example, strings.TrimSuffix(cmd.CommandPath(), " list"), "an example of %s", cmd.CommandPath())
		for _, found := range regexp.MustCompile(`(?m)(?:^|\(|\| )\s*(pawl\b[^\n|#>)]*?)(?:  |$| [|#>&]|\))`).FindAllStringSubmatch(cmd.Example, -1) {
			tried++
			words, err := shell.Fields(found[1], func(string) string { return "" })
			require.NoError(t, err, found[1])
			_, err = parsed(words[1:]...)
			require.NoError(t, err, found[1])
		}
	}
	require.Greater(t, tried, 20)
}

func TestEveryCommandShowsExamples(t *testing.T) {
	for _, cmd := range leaves(newCommandTree(&base.World{})) {
		path := strings.Fields(cmd.CommandPath())[1:]
		var out bytes.Buffer
		require.Zero(t, Execute(t.Context(), append(path, "--help"), base.World{Out: &out, Err: &out}))
		require.Contains(t, out.String(), "Examples:", path)
		var same bytes.Buffer
		require.Zero(t, Execute(t.Context(), append([]string{"help"}, path...), base.World{Out: &same, Err: &same}))
		if pageAbout(path[0]) == nil || len(path) > 1 {
			require.Equal(t, out.String(), same.String())
		}
		require.True(t, strings.HasPrefix(same.String(), out.String()), path)
	}
}

// Help fits a terminal of 90 columns: its lines are broken by hand.
func TestHelpHasNoLongLines(t *testing.T) {
	root := newCommandTree(&base.World{})
	for _, cmd := range append(leaves(root), root) {
		var out bytes.Buffer
		require.Zero(t, Execute(t.Context(), append(strings.Fields(cmd.CommandPath())[1:], "--help"), base.World{Out: &out, Err: &out}))
		for line := range strings.Lines(out.String()) {
			if !strings.HasPrefix(line, "  pawl ") { // an example with what it is for
				require.LessOrEqual(t, utf8.RuneCountInString(line), 91, line)
			}
		}
	}
}

func TestHelpForWhatIsNoCommandNamesTheNearest(t *testing.T) {
	var out, errs bytes.Buffer
	require.Equal(t, system.ExitUsage, Execute(t.Context(), []string{"help", "exprt"}, base.World{Out: &out, Err: &errs}))
	require.Contains(t, errs.String(), `did you mean "export"?`)
	require.Empty(t, out.String())
}
