package cli

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"pawl/internal/base"
	"pawl/internal/host"
)

// No example rots: each is a command line that Pawl takes.
func TestEveryExampleIsACommandLine(t *testing.T) {
	texts := []string{description}
	for path, text := range examples {
		require.Contains(t, text, "pawl "+path, "an example of %s", path)
		texts = append(texts, text)
	}
	tried := 0
	for _, text := range texts {
		for _, found := range regexp.MustCompile(`(?m)(?:^|\(|\| )\s*(pawl\b[^\n|#>)]*?)(?:  |$| [|#>]|\))`).FindAllStringSubmatch(text, -1) {
			tried++
			args := strings.Fields(strings.ReplaceAll(found[1], `"`, ""))[1:]
			parser, err := kong.New(&commandLine{})
			require.NoError(t, err)
			_, err = parse(parser, promptFirst(args))
			require.NoError(t, err, found[1])
		}
	}
	require.Greater(t, tried, 20)
}

func TestEveryCommandShowsExamples(t *testing.T) {
	parser, err := kong.New(&commandLine{})
	require.NoError(t, err)
	for _, node := range parser.Model.Leaves(true) {
		var out bytes.Buffer
		require.Zero(t, Execute(t.Context(), []string{node.Path(), "--help"}, base.World{Out: &out, Err: &out}))
		require.Contains(t, out.String(), "Examples:", node.Path())
		var same bytes.Buffer
		require.Zero(t, Execute(t.Context(), []string{"help", node.Path()}, base.World{Out: &same, Err: &same}))
		if pageAbout(node.Path()) == nil {
			require.Equal(t, out.String(), same.String())
		}
		require.True(t, strings.HasPrefix(same.String(), out.String()), node.Path())
	}
}

func TestHelpForWhatIsNoCommandNamesTheNearest(t *testing.T) {
	var out, errs bytes.Buffer
	require.Equal(t, host.ExitUsage, Execute(t.Context(), []string{"help", "exprt"}, base.World{Out: &out, Err: &errs}))
	require.Contains(t, errs.String(), `did you mean "export"?`)
	require.Empty(t, out.String())
}
