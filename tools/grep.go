package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/tools/process"
	"pawl/tools/workspace"
)

//go:embed grep.md
var grepText string

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
	return reading(in, grepText, "pattern", func(ctx context.Context, args grepInput) (agent.Result, error) {
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
	s := search{w: w, pattern: pattern, base: base, glob: args.Glob, context: args.Context, lines: args.Mode == grepContent}
	s.literal, s.isLiteral = pattern.LiteralPrefix()
	if !s.isLiteral { // text that is meant as it is, is found as quickly without
		s.sieve = newSieve(w, launcher, args.Pattern)
	}
	err = s.run(limited)
	switch {
	case ctx.Err() != nil:
		return agent.Result{}, errCanceled
	case err != nil && !errors.Is(err, context.DeadlineExceeded):
		return agent.Result{}, err
	}
	for i := range s.files {
		s.files[i].path = w.Title(s.files[i].path)
	}
	return s.result(args, err != nil), nil
}

// result words what was found.
func (s *search) result(args grepInput, cut bool) agent.Result {
	view := agent.ListingView{Title: args.Pattern, Total: s.total}
	var notes []string
	switch args.Mode {
	case grepFiles, grepCount:
		view.Total = len(s.files)
		for _, f := range s.files[:min(maxFound, len(s.files))] {
			line := f.path
			if args.Mode == grepCount {
				line = fmt.Sprintf("%s: %d", line, f.count)
			}
			view.Items = append(view.Items, line)
		}
		if len(s.files) > maxFound {
			notes = append(notes, fmt.Sprintf("the first %d of %d files: narrow the search to see others", maxFound, len(s.files)))
		}
	case grepContent:
		var shown int
		view.Items, shown = listMatches(s.files, s.context)
		if s.total > shown {
			notes = append(notes, fmt.Sprintf("the first %d of %d matching lines in %s: narrow the search to see others", shown, s.total, words.Count(len(s.files), "file")))
		}
	}
	if cut {
		notes = append(notes, fmt.Sprintf("the search was stopped after %v, so there may be more: name a path", searchTime))
	}
	if len(view.Items) == 0 {
		text := fmt.Sprintf("No match for %s in %s", args.Pattern, words.Count(s.wanted, "file"))
		if s.wanted > 1 {
			text += fmt.Sprintf(", not counting files that are binary or over %s", words.Size(workspace.MaxFile))
		}
		notes = append([]string{text}, notes...)
	}
	text := strings.Join(view.Items, "\n")
	if len(notes) > 0 {
		text = strings.TrimPrefix(text+"\n["+strings.Join(notes, "; ")+"]", "\n")
	}
	return agent.Result{Text: words.Valid(text), View: view}
}
