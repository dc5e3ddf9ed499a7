package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheManualHasEveryCommandAndFlagAndNothingHidden(t *testing.T) {
	page := Man(model(t), "2026-01-02", "pawl 1", Section{"FILES", []Row{{"~/.x", "It's here."}, {"", "  set \\in\n  .so it stands"}}})
	for _, want := range []string{
		`.TH "PAWL" 1 "2026-01-02" "pawl 1"`, "pawl \\- An agent\n", `.SS "export"`, "pawl export <session> [flags]", `.B "\-\-format=\(dqmd\(dq"`,
		`.B "\-o, \-\-output=STRING"`, `.B "\-p, \-\-print"`, ".TP\n.B \"\\(ti/.x\"\nIt\\(aqs here.\n", ".nf\n  set \\ein\n  .so it stands\n.fi\n", ".nf\n  and lines\n.fi\n.PP\n.nf\n  that stand\n.fi\n",
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
		for line := range strings.Lines(Man(model(t), "", hostile, Section{"X", []Row{{hostile, hostile}, {"", hostile}}})) {
			require.NotRegexp(t, `^[.']so`, line)
			require.NotContains(t, line, `\X`)
		}
	}
}

func TestTheManualIsASCII(t *testing.T) {
	page := Man(model(t), "2026-01-02", "pawl 1", Section{"ENVIRONMENT", []Row{{"X…", "models/… and ü, 漢 – 🙂"}, {"", "  set — in"}}})
	for _, r := range page {
		require.Less(t, r, rune(128), string(r))
	}
	require.Contains(t, page, `models/... and \[u00FC], \[u6F22] \[u2013] \[u1F642]`)
}
