package tools

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/tools/place"
	"pawl/tools/workspace"
)

// Bounds of one listing.
const (
	listDepth = 2
	listTotal = 500 // entries in all
	listEach  = 100 // entries of one folder
)

type listInput struct {
	Path  string `json:"path"`
	Depth int    `json:"depth"`
}

// List shows a folder as a tree.
func List(w *workspace.Workspace) agent.Tool {
	in := newInput[listInput]("list", `{"type": "object", "additionalProperties": false, "required": [], "properties": {
		"path": {"type": "string", "description": "the folder, the project's if not given"},
		"depth": {"type": "integer", "minimum": 1, "maximum": 10, "description": "how many levels to show, 2 if not given"}}}`)
	return reading(in, "path", func(ctx context.Context, args listInput) (agent.Result, error) { return listFolder(ctx, w, args) })
}

func listFolder(ctx context.Context, w *workspace.Workspace, args listInput) (agent.Result, error) {
	w = w.ForReading(args.Path)
	dir, err := w.LocateFolder(args.Path)
	if _, is := errors.AsType[*workspace.NotFolderError](err); is {
		return agent.Result{}, fmt.Errorf("%w: use read to see it", err)
	}
	if err != nil {
		return agent.Result{}, err
	}
	t := tree{w: w, ctx: ctx, depth: args.Depth}
	if t.depth == 0 {
		t.depth = listDepth
	}
	entries, err := w.Visible(dir, w.RulesAt(dir))
	if err != nil {
		return agent.Result{}, w.Explain(dir, err)
	}
	t.grow(dir, entries, w.RulesAt(dir), 0)
	if ctx.Err() != nil {
		return agent.Result{}, errCanceled
	}
	view := agent.ListingView{Title: fmt.Sprintf("%s: %s", w.Title(dir), words.Count(t.total, "entry")), Items: t.lines, Total: t.total}
	if t.total == 0 {
		return agent.Result{Text: fmt.Sprintf("%s has nothing to show: it is empty, or all of it is ignored", w.Title(dir)), View: view}, nil
	}
	text := strings.Join(t.lines, "\n")
	if t.cut {
		text += fmt.Sprintf("\n[cut at %s: list a folder in it by itself, or use glob]", words.Count(listTotal, "entry"))
	}
	return agent.Result{Text: w.Title(dir) + "/\n" + text, View: view}, nil
}

// tree is a listing as it grows.
type tree struct {
	w     *workspace.Workspace
	ctx   context.Context // of the one call that makes it
	depth int
	lines []string
	shown int
	total int // entries that were seen, shown or not
	cut   bool
}

func (t *tree) grow(dir string, entries []fs.DirEntry, r workspace.Rules, level int) {
	indent := strings.Repeat("  ", level+1)
	t.total += len(entries)
	for i, entry := range entries {
		switch {
		case t.ctx.Err() != nil:
			return
		case t.shown == listTotal:
			t.cut = true
			return
		case i == listEach:
			t.lines = append(t.lines, indent+fmt.Sprintf("… %d more", len(entries)-i))
			return
		}
		t.shown++
		at := path.Join(dir, entry.Name())
		if !entry.IsDir() {
			t.lines = append(t.lines, indent+t.leaf(at, entry))
			continue
		}
		inner := t.w.RulesIn(at, r)
		inside, err := t.w.Visible(at, inner)
		line := indent + words.Path(entry.Name()) + "/"
		switch {
		case err != nil:
			line += "  (cannot be read)"
		case level+1 == t.depth && len(inside) > 0:
			line += "  (" + words.Count(len(inside), "entry") + ")"
		}
		t.lines = append(t.lines, line)
		if level+1 < t.depth {
			t.grow(at, inside, inner, level+1)
		}
	}
}

// leaf writes what is no folder: a file with its size, a link with its target,
// anything else by its kind.
func (t *tree) leaf(at string, entry fs.DirEntry) string {
	name := words.Path(entry.Name())
	if entry.Type()&fs.ModeSymlink != 0 {
		return name + " -> " + words.Path(t.w.Readlink(at))
	}
	info, err := entry.Info()
	switch {
	case err != nil:
		return name
	case !info.Mode().IsRegular():
		return name + "  (" + place.KindOf(info.Mode()) + ")"
	}
	return name + "  " + words.Size(info.Size())
}
