package rewind

import (
	"fmt"
	"strings"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// most is how many files or subagents the model is told by name.
const most = 20

// Past is what is known of a session's runs where it is taken back. It goes by records, not by the clock,
// which may have been set back since.
type Past struct {
	Began func(lifecycle.RunID) lifecycle.Seq
	// Ended are runs of which a record since the point says that they have ended or, however long before
	// they did, that their parent has learned of it.
	Ended map[lifecycle.RunID]bool
}

// Tell is what the model of the root is told of a rewind; files says that they were taken back too. runs
// are those of the session.
func Tell(rewound lifecycle.Rewound, files bool, past Past, runs []lifecycle.Run) string {
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
	ended := func(run lifecycle.Run) bool {
		return past.Began(run.ID) < rewound.To && run.State.Terminal() && past.Ended[run.ID]
	}
	open := func(run lifecycle.Run) bool { return !run.State.Terminal() }
	section(&b, "Subagents that you started before this point and that have ended since; agent_output gives a result:", subagents(runs, ended))
	section(&b, "Commands that you started in the background before this point and that have ended since; shell_output gives what they wrote:", shells(runs, ended))
	section(&b, "Still at work; you will be told when they end:", append(subagents(runs, open), shells(runs, open)...))
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

// subagents is a line for each subagent that is to be told of.
func subagents(runs []lifecycle.Run, in func(lifecycle.Run) bool) (lines []string) {
	for _, run := range runs {
		if run.Subagent() && in(run) {
			lines = append(lines, fmt.Sprintf("- agent_id %s, type %s, %q: %s", run.Session, run.Type, words.CutLine(run.Description, 80), run.State))
		}
	}
	return lines
}

// shells is a line for each background command of the root's that is to be told of.
func shells(runs []lifecycle.Run, in func(lifecycle.Run) bool) (lines []string) {
	for _, run := range runs {
		if run.Shell() && !run.UserShell() && run.Parent == run.Root && in(run) {
			lines = append(lines, fmt.Sprintf("- shell_id %s, %q: %s", run.Session, words.CutLine(run.Command, 80), run.State))
		}
	}
	return lines
}

func section(b *strings.Builder, title string, lines []string) {
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
