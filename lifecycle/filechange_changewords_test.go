package lifecycle

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAChangeIsToldInOneLine(t *testing.T) {
	two := []FileChange{{Path: "a"}, {Path: "b", Uncovered: "too large"}}
	for want, said := range map[string]string{
		"1 file changed": FilesChanged{By: ChangedByTool, Files: two[:1]}.Words(),
		"2 files changed by a command, 1 of them not covered":           FilesChanged{By: ChangedByCommand, Files: two}.Words(),
		"1 file changed by a command, and perhaps more: too many files": FilesChanged{By: ChangedByCommand, Files: two[:1], Unwatched: "too many files"}.Words(),
		"it is not known what the command changed: too many files":      FilesChanged{By: ChangedByCommand, Unwatched: "too many files"}.Words(),
		"landed 2 files of fix the cart, 1 left, as commit 0123456789":  Landed{Files: two, Left: []string{"c"}, Commit: "0123456789abcdef"}.Words("fix the cart"),
		"landed 1 file": Landed{Files: two[:1]}.Words(""),
		`rewound to before "fix it": the conversation and 2 files, 1 left`: Rewound{To: 4, Prompt: "fix it", Conversation: true, Files: two, Skipped: []SkippedFile{{Path: "c", Why: "changed since"}}}.Words(),
		"rewound to before record 4: 2 files":                              Rewound{To: 4, Files: two}.Words(),
		`rewound to before "fix it": the conversation`:                     Rewound{To: 4, Prompt: "fix it", Conversation: true}.Words(),
	} {
		require.Equal(t, want, said)
	}
}
