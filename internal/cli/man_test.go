package cli

import (
	"strings"
	"testing"

	"pawl/internal/cli/command"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// tree is a small command line with one of each: flags of several kinds, an argument,
// something hidden.
func tree() *cobra.Command {
	root := &cobra.Command{Use: "pawl", Short: "An agent.", Long: "An agent.\n\nWith more to say.\n  and lines\n\n  that stand", Run: func(*cobra.Command, []string) {}}
	root.Flags().BoolP("print", "p", false, "One prompt.")
	export := &cobra.Command{Use: "export ID", Short: "Write: a session.", Run: root.Run}
	format := "md"
	command.AddChoice(export, &format, "format", "The format.", "md", "html")
	export.Flags().StringP("output", "o", "", "The `FILE` to\nwrite to.")
	root.AddCommand(export, &cobra.Command{Use: "secret", Hidden: true, Run: root.Run})
	return root
}

func TestTheManualHasEveryCommandAndFlagAndNothingHidden(t *testing.T) {
	page := Man(tree(), "2026-01-02", "pawl 1", Section{"FILES", []Row{{"~/.x", "It's here."}, {"", "  set \\in\n  .so it stands"}}})
	for _, want := range []string{
		`.TH "PAWL" 1 "2026-01-02" "pawl 1"`, "pawl \\- An agent\n", `.SS "pawl export"`, "pawl export ID [flags]", `.B "\-\-format=md|html"`,
		`.B "\-o, \-\-output=FILE"`, "The FILE to write to.", `.B "\-p, \-\-print"`, ".TP\n.B \"\\(ti/.x\"\nIt\\(aqs here.\n", ".nf\n  set \\ein\n  .so it stands\n.fi\n", ".nf\n  and lines\n.fi\n.PP\n.nf\n  that stand\n.fi\n",
	} {
		require.Contains(t, page, want)
	}
	require.NotContains(t, page, "secret")
	require.NotContains(t, page, "help")
	require.True(t, strings.HasSuffix(page, "\n"))
}

// A text is no request to the formatter, whatever it begins with.
func TestATextIsNoRequest(t *testing.T) {
	for _, hostile := range []string{".so /etc/passwd", "'so /etc/passwd", `\X'ps: exec'`, "a\n.so x"} {
		for line := range strings.Lines(Man(tree(), "", hostile, Section{"X", []Row{{hostile, hostile}, {"", hostile}}})) {
			require.NotRegexp(t, `^[.']so`, line)
			require.NotContains(t, line, `\X`)
		}
	}
}

func TestTheManualIsASCII(t *testing.T) {
	page := Man(tree(), "2026-01-02", "pawl 1", Section{"ENVIRONMENT", []Row{{"X…", "models/… and ü, 漢 – 🙂"}, {"", "  set — in"}}})
	for _, r := range page {
		require.Less(t, r, rune(128), string(r))
	}
	require.Contains(t, page, `models/... and \[u00FC], \[u6F22] \[u2013] \[u1F642]`)
}
