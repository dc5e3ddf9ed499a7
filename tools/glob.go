package tools

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/tools/search"
	"pawl/tools/workspace"
)

// Bounds of one look through a folder, of glob and of grep.
const (
	maxFound     = search.MaxMatches // files or matches in the result
	maxFoundText = 100_000           // bytes of matching lines
	searchTime   = 30 * time.Second
)

type globInput struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path"`
}

// Glob finds files by their names.
func Glob(w *workspace.Workspace) agent.Tool {
	in := newInput[globInput]("glob", `{"type": "object", "additionalProperties": false, "required": ["pattern"], "properties": {
		"pattern": {"type": "string", "minLength": 1, "description": "such as **/*.go or src/**/*_test.{ts,tsx}"},
		"path": {"type": "string", "description": "the folder to look in, the project's if not given"}}}`)
	return reading(in, "pattern", func(ctx context.Context, args globInput) (agent.Result, error) { return findFiles(ctx, w, args) })
}

type globbed struct {
	path    string
	changed time.Time
}

func findFiles(ctx context.Context, w *workspace.Workspace, args globInput) (agent.Result, error) {
	w = w.ForReading(cmp.Or(args.Path, args.Pattern))
	base, pattern, err := globBase(w, args)
	if err != nil {
		return agent.Result{}, err
	}
	if !doublestar.ValidatePattern(pattern) {
		return agent.Result{}, fmt.Errorf("%q is not a valid pattern: close every [ and {", args.Pattern)
	}
	// The part without wildcards need not be searched for; it may also name a
	// folder that is ignored, which then is looked into.
	literal, rest := doublestar.SplitPattern(pattern)
	start, err := w.Locate(filepath.Join(base, filepath.FromSlash(literal)))
	if err != nil {
		return agent.Result{}, err
	}
	limited, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	var found []globbed
	err = w.Walk(limited, start, func(at string, entry fs.DirEntry) error {
		if entry.IsDir() || !entry.Type().IsRegular() && entry.Type()&fs.ModeSymlink == 0 {
			return nil
		}
		if doublestar.MatchUnvalidated(rest, workspace.Below(start, at)) {
			if info, err := entry.Info(); err == nil {
				found = append(found, globbed{w.Title(at), info.ModTime()})
			}
		}
		return nil
	})
	if ctx.Err() != nil {
		return agent.Result{}, errCanceled
	}
	return globResult(args, found, err != nil), nil
}

// globBase locates the folder of a search, and takes it off a pattern that names
// it in full.
func globBase(w *workspace.Workspace, args globInput) (base, pattern string, err error) {
	if filepath.IsAbs(args.Pattern) {
		pattern, err = w.CutFolder(args.Pattern)
		return ".", pattern, err
	}
	base, err = w.LocateFolder(args.Path)
	return base, strings.TrimPrefix(args.Pattern, "./"), err
}

func globResult(args globInput, found []globbed, cut bool) agent.Result {
	slices.SortFunc(found, func(a, b globbed) int {
		return cmp.Or(b.changed.Compare(a.changed), cmp.Compare(a.path, b.path))
	})
	view := agent.ListingView{Title: args.Pattern, Total: len(found)}
	for _, f := range found[:min(maxFound, len(found))] {
		view.Items = append(view.Items, f.path)
	}
	var notes []string
	if len(found) > maxFound {
		notes = append(notes, fmt.Sprintf("the newest %d of %d files: narrow the pattern to see others", maxFound, len(found)))
	}
	if cut {
		notes = append(notes, fmt.Sprintf("the search was stopped after %v, so there may be more: name a path", searchTime))
	}
	if len(found) == 0 {
		text := fmt.Sprintf("No file matches %s", args.Pattern)
		if args.Path != "" {
			text += " in " + args.Path
		}
		if !strings.Contains(args.Pattern, "/") {
			text += fmt.Sprintf(": it looks in the folder itself only, **/%s at any depth", args.Pattern)
		}
		notes = append([]string{text}, notes...)
	}
	return listingResult(view, notes)
}

// listingResult is a listing for the model, with the notes on it in brackets below.
func listingResult(view agent.ListingView, notes []string) agent.Result {
	text := strings.Join(view.Items, "\n")
	if len(notes) > 0 {
		text = strings.TrimPrefix(text+"\n["+strings.Join(notes, "; ")+"]", "\n")
	}
	return agent.Result{Text: words.Valid(text), View: view}
}
