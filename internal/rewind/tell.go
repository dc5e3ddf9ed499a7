package rewind

import (
	"fmt"
	"strings"
	"time"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// most is how many files or subagents the model is told by name.
const most = 20

// Tell is what the model of the root is told of a rewind to what was at a time; files says that they
// were taken back too. runs are those of the session.
func Tell(rewound lifecycle.Rewound, files bool, at time.Time, runs []lifecycle.Run) string {
	if !rewound.Conversation {
		return tellOfFiles(rewound)
	}
	var b strings.Builder
	b.WriteString("Pawl wrote this message, not a human. The user has taken the conversation back to here: what was said after it is not shown to you.\n")
	switch {
	case len(rewound.Files) > 0:
		var paths []string
		for _, f := range rewound.Files {
			paths = append(paths, f.Path)
		}
		fmt.Fprintf(&b, "Files were put back to what they held here: %s. Read them again before you change them.\n", some(paths))
	case files:
		b.WriteString("No file had to be put back.\n")
	default:
		b.WriteString("The files were not taken back: they are as they are now, with what was changed since.\n")
	}
	if len(rewound.Skipped) > 0 {
		var paths []string
		for _, f := range rewound.Skipped {
			paths = append(paths, fmt.Sprintf("%s (%s)", f.Path, f.Why))
		}
		fmt.Fprintf(&b, "Left as they are: %s.\n", some(paths))
	}
	section(&b, "Subagents that you started before this point and that have ended since; agent_output gives a result:", runs, func(run lifecycle.Run) bool {
		return run.SpawnedAt.Before(at) && run.State.Terminal() && !run.EndedAt.Before(at)
	})
	section(&b, "Still at work; you will be told when they end:", runs, func(run lifecycle.Run) bool { return !run.State.Terminal() })
	return b.String()
}

// tellOfFiles tells of files that were put back while the conversation stays.
func tellOfFiles(rewound lifecycle.Rewound) string {
	var paths []string
	for _, f := range rewound.Files {
		paths = append(paths, f.Path)
	}
	return fmt.Sprintf("Pawl wrote this message, not a human. The user has put files back to what they held before the message %q: %s. What was changed in them since is undone. Read them again before you change them.\n",
		words.CutLine(rewound.Prompt, 80), some(paths))
}

func section(b *strings.Builder, title string, runs []lifecycle.Run, in func(lifecycle.Run) bool) {
	var lines []string
	for _, run := range runs {
		if run.Subagent() && in(run) {
			lines = append(lines, fmt.Sprintf("- agent_id %s, type %s, %q: %s", run.Session, run.Type, words.CutLine(run.Description, 80), run.State))
		}
	}
	if len(lines) == 0 {
		return
	}
	rest := len(lines) - most
	if rest > 0 {
		lines = append(lines[rest:], fmt.Sprintf("- and %d older", rest))
	}
	fmt.Fprintf(b, "%s\n%s\n", title, strings.Join(lines, "\n"))
}

// some names the first of many.
func some(names []string) string {
	if rest := len(names) - most; rest > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), rest)
	}
	return words.List(names)
}
