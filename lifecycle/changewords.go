package lifecycle

import (
	"fmt"
	"strings"

	"pawl/internal/words"
)

// What front ends and exports say of changes in one line. Names of files are not in it.

// Words says how many files a call has changed, and what is not known of it.
func (e FilesChanged) Words() string {
	by := ""
	if e.By == ChangedByCommand {
		by = " by a command"
	}
	said := words.Count(len(e.Files), "file") + " changed" + by
	if open := uncovered(e.Files); open > 0 {
		said += fmt.Sprintf(", %d of them not covered", open)
	}
	switch {
	case e.Unwatched != "" && len(e.Files) == 0:
		return "it is not known what the command changed: " + e.Unwatched
	case e.Unwatched != "":
		return said + ", and perhaps more: " + e.Unwatched
	}
	return said
}

func uncovered(files []FileChange) (n int) {
	for _, file := range files {
		if file.Uncovered != "" {
			n++
		}
	}
	return n
}

// Words says what was landed of a subagent, which is described by a few words of its own.
func (e Landed) Words(of string) string {
	said := "landed " + words.Count(len(e.Files), "file")
	if of != "" {
		said += " of " + of
	}
	if len(e.Left) > 0 {
		said += fmt.Sprintf(", %d left", len(e.Left))
	}
	if e.Commit != "" {
		said += ", as commit " + words.First(e.Commit, 10)
	}
	return said
}

// Words says what was taken back, and to where.
func (e Rewound) Words() string {
	var back []string
	if e.Conversation {
		back = append(back, "the conversation")
	}
	if len(e.Files) > 0 || !e.Conversation {
		back = append(back, words.Count(len(e.Files), "file"))
	}
	to := fmt.Sprintf("record %d", e.To)
	if e.Prompt != "" {
		to = fmt.Sprintf("%q", e.Prompt)
	}
	said := "rewound to before " + to + ": " + strings.Join(back, " and ")
	if len(e.Skipped) > 0 {
		said += fmt.Sprintf(", %d left", len(e.Skipped))
	}
	return said
}
