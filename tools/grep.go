package tools

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"github.com/bmatcuk/doublestar/v4"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/tools/process"
	"pawl/tools/search"
	"pawl/tools/workspace"
)

type grepInput struct {
	Pattern string   `json:"pattern"`
	Path    string   `json:"path"`
	Glob    string   `json:"glob"`
	Context int      `json:"context"`
	Mode    grepMode `json:"mode"`
}

// grepMode says what a search gives.
type grepMode string

const (
	grepContent grepMode = "content"
	grepFiles   grepMode = "files"
	grepCount   grepMode = "count"
)

// Grep searches the text of files. launcher starts ripgrep where that is quicker;
// nil does without.
func Grep(w *workspace.Workspace, launcher *process.Launcher) agent.Tool {
	in := newInput[grepInput]("grep", `{"type": "object", "additionalProperties": false, "required": ["pattern"], "properties": {
		"pattern": {"type": "string", "minLength": 1, "description": "a regular expression, matched against each line"},
		"path": {"type": "string", "description": "the folder or file to search, the project's folder if not given"},
		"glob": {"type": "string", "minLength": 1, "description": "only files that match, such as *.go"},
		"context": {"type": "integer", "minimum": 0, "maximum": 20, "description": "lines to show around each match"},
		"mode": {"type": "string", "enum": ["content", "files", "count"], "description": "what to give, content if not given"}}}`)
	return reading(in, "pattern", func(ctx context.Context, args grepInput) (agent.Result, error) {
		return findText(ctx, w, launcher, args)
	})
}

func findText(ctx context.Context, w *workspace.Workspace, launcher *process.Launcher, args grepInput) (agent.Result, error) {
	if args.Mode == "" {
		args.Mode = grepContent
	}
	pattern, err := regexp.Compile(args.Pattern)
	if err != nil {
		return agent.Result{}, fmt.Errorf("grep: pattern is not a valid regular expression (%w): the syntax is RE2, without look-around and back-references; put a backslash before characters that you mean literally", err)
	}
	if args.Glob != "" && !doublestar.ValidatePattern(args.Glob) {
		return agent.Result{}, fmt.Errorf("grep: glob %q is not a valid pattern: close every [ and {", args.Glob)
	}
	w = w.ForReading(args.Path)
	base, err := w.Locate(args.Path)
	if err != nil {
		return agent.Result{}, err
	}
	limited, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	found, err := search.Run(limited, w, launcher, search.Query{
		Pattern: pattern, Base: base, Glob: args.Glob, Context: args.Context, Lines: args.Mode == grepContent,
	})
	switch {
	case ctx.Err() != nil:
		return agent.Result{}, errCanceled
	case err != nil && !errors.Is(err, context.DeadlineExceeded):
		return agent.Result{}, err
	}
	for i := range found.Files {
		found.Files[i].Path = w.Title(found.Files[i].Path)
	}
	return grepResult(args, found, err != nil), nil
}

func grepResult(args grepInput, found search.Found, cut bool) agent.Result {
	view := agent.ListingView{Title: args.Pattern, Total: found.Total}
	var notes []string
	switch args.Mode {
	case grepFiles, grepCount:
		view.Total = len(found.Files)
		for _, f := range found.Files[:min(maxFound, len(found.Files))] {
			line := f.Path
			if args.Mode == grepCount {
				line = fmt.Sprintf("%s: %d", line, f.Count)
			}
			view.Items = append(view.Items, line)
		}
		if len(found.Files) > maxFound {
			notes = append(notes, fmt.Sprintf("the first %d of %d files: narrow the search to see others", maxFound, len(found.Files)))
		}
	case grepContent:
		var shown int
		view.Items, shown = listMatches(found.Files, args.Context)
		if found.Total > shown {
			notes = append(notes, fmt.Sprintf("the first %d of %d matching lines in %s: narrow the search to see others", shown, found.Total, words.Count(len(found.Files), "file")))
		}
	}
	if cut {
		notes = append(notes, fmt.Sprintf("the search was stopped after %v, so there may be more: name a path", searchTime))
	}
	if len(view.Items) == 0 {
		text := fmt.Sprintf("No match for %s in %s", args.Pattern, words.Count(found.Wanted, "file"))
		if found.Wanted > 1 {
			text += fmt.Sprintf(", not counting files that are binary or over %s", words.Size(workspace.MaxFile))
		}
		notes = append([]string{text}, notes...)
	}
	return listingResult(view, notes)
}

// listMatches writes the first maxFound matching lines under the paths of their
// files, "12:" before a match, "12-" before a line around one, and says how many
// matches that are: fewer where they are long.
func listMatches(files []search.File, context int) (out []string, shown int) {
	written := 0
	for _, f := range files {
		if shown == maxFound || written > maxFoundText {
			break
		}
		if len(out) > 0 {
			out = append(out, "")
		}
		out = append(out, f.Path)
		last := 0
		for _, line := range f.Lines {
			if line.Match && shown == maxFound || written > maxFoundText {
				break
			}
			if context > 0 && last > 0 && line.Number > last+1 {
				out = append(out, "--")
			}
			last = line.Number
			mark := "-"
			if line.Match {
				mark = ":"
				shown++
			}
			out = append(out, fmt.Sprintf("%d%s %s", line.Number, mark, words.Valid(line.Text)))
			written += len(line.Text)
		}
	}
	return out, shown
}
