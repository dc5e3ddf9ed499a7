package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"pawl/internal/landing"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/changes"
	"pawl/ui/wording"
)

// desk is what can be landed as screens show it: the diffs of the plans that were listed last. The
// zero desk has none. It is safe from any goroutine.
type desk struct {
	mu    sync.Mutex
	diffs map[lifecycle.SessionID]map[changes.Which]changes.Diff
}

func (d *desk) put(agent lifecycle.SessionID, diffs map[changes.Which]changes.Diff) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.diffs == nil {
		d.diffs = map[lifecycle.SessionID]map[changes.Which]changes.Diff{}
	}
	d.diffs[agent] = diffs
}

func (d *desk) find(which changes.Which) (changes.Diff, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	diff, is := d.diffs[which.Session][which]
	return diff, is
}

// ListChanges lists what the session changed or, with only, one of its subagents: what that has left
// in its worktree to be landed, else what it changed. It is safe from any goroutine.
func (h *Session) ListChanges(ctx context.Context, only lifecycle.SessionID) (changes.Listing, error) {
	why := error(nil)
	if only != "" {
		if run, err := h.landingRun(ctx, only); err == nil && run.ToLand() {
			listing, err := h.listLanding(ctx, run)
			if err == nil {
				return listing, nil
			}
			why = err
		}
	}
	listing, err := h.Changed.List(ctx, only)
	if why != nil {
		listing.Unlandable = words.FirstLine(why.Error())
	}
	return listing, err
}

// Diff finds the difference of one file of a listing. It is safe from any goroutine.
func (h *Session) Diff(ctx context.Context, which changes.Which) (changes.Diff, error) {
	if diff, is := h.desk.find(which); is {
		return diff, nil
	}
	return h.Changed.Diff(ctx, which)
}

// LandChosen lands what a person chose on a screen. It is safe from any goroutine.
func (h *Session) LandChosen(ctx context.Context, agent lifecycle.SessionID, chosen []changes.Chosen) (changes.Outcome, error) {
	wish := landing.Wish{}
	for _, one := range chosen {
		wish.Files = append(wish.Files, landing.Pick{Path: one.Path, Hunks: one.Hunks, Seen: &landing.Sides{Before: one.Before, After: one.After}})
	}
	result, err := h.Land(ctx, agent, wish)
	if result.Plan == nil {
		return changes.Outcome{}, err
	}
	conflicts := ""
	if n := len(result.Of(landing.Conflict)); n > 0 {
		conflicts = fmt.Sprintf("%s could not be merged: b sends it back", words.Count(n, "file"))
	}
	switch {
	case err != nil && conflicts != "":
		return changes.Outcome{}, fmt.Errorf("%w: %s", err, conflicts)
	case err != nil:
		return changes.Outcome{}, err
	case conflicts != "":
		return changes.Outcome{Words: landedWords(*result.Landed) + "; " + conflicts}, nil
	}
	return changes.Outcome{Words: landedWords(*result.Landed), Clean: true}, nil
}

// landedWords are few, for a status line.
func landedWords(landed lifecycle.Landed) string {
	text := words.Count(len(landed.Files), "file") + " landed"
	if landed.Removed {
		return text + "; its worktree is removed"
	}
	return text
}

// SendBackAll sends back what of a subagent's worktree cannot be merged. It is safe from any goroutine.
func (h *Session) SendBackAll(ctx context.Context, agent lifecycle.SessionID) (changes.Outcome, error) {
	plan, err := h.SendBack(ctx, agent, landing.Choice{})
	if err != nil {
		return changes.Outcome{}, err
	}
	return changes.Outcome{Words: "sent back: " + words.Count(len(plan.Of(landing.Conflict)), "file"), Clean: true}, nil
}

// listLanding lists what a subagent has left in its worktree.
func (h *Session) listLanding(ctx context.Context, run lifecycle.Run) (changes.Listing, error) {
	plan, err := h.LandingPlan(ctx, run.Session, landing.Choice{})
	if err != nil {
		return changes.Listing{}, err
	}
	defer plan.Close()
	name := wording.Name(run).String()
	writer := changes.Writer{Session: run.Session, Run: run.ID, Name: name}
	diffs := map[changes.Which]changes.Diff{}
	group := changes.Group{Title: plan.Says()}
	for _, f := range plan.Files {
		one := changes.File{
			Which:   changes.Which{Folder: plan.Worktree, Path: f.Path, Before: f.Before, After: f.After, Session: run.Session},
			Added:   f.Added,
			Counted: !f.Binary, Removed: f.Removed, Writers: []changes.Writer{writer},
			Hunks: len(f.Hunks), There: f.State == landing.There,
		}
		switch f.State {
		case landing.Conflict:
			one.Conflict, one.Places = f.Why, placesOf(f)
		case landing.Left:
			one.Left = f.Why
		case landing.Lands, landing.There:
		}
		diffs[one.Which] = diffOf(f)
		group.Files = append(group.Files, one)
	}
	h.desk.put(run.Session, diffs)
	listing := changes.Listing{Landable: true, Words: "worktree of " + name}
	if len(group.Files) > 0 {
		listing.Groups[changes.ByFile] = []changes.Group{group}
	}
	return listing, nil
}

// placesOf says where git cannot merge a file.
func placesOf(f landing.File) (places []string) {
	for _, c := range f.Conflicts {
		mine, theirs := words.FirstLine(strings.TrimSpace(c.Folder)), words.FirstLine(strings.TrimSpace(c.Worktree))
		places = append(places, fmt.Sprintf("line %d: in the folder %q, in the worktree %q", c.Line, words.CutLine(mine, 60), words.CutLine(theirs, 60)))
	}
	return places
}

// longestDiff bounds the diff of one file on a screen, in bytes.
const longestDiff = 100_000

// diffOf is the difference that a subagent made in a file, its hunks as they can be chosen.
func diffOf(f landing.File) changes.Diff {
	d := changes.Diff{Added: f.Added, Removed: f.Removed, Why: whyNoDiff(f)}
	if d.Why != "" {
		return d
	}
	var text strings.Builder
	fmt.Fprintf(&text, "--- a/%s\n+++ b/%s\n", words.Path(f.Path), words.Path(f.Path))
	for i, h := range f.Hunks {
		if text.Len()+len(h.Text) > longestDiff && i > 0 {
			fmt.Fprintf(&text, "\\ %s not shown\n", words.Count(len(f.Hunks)-i, "more changed place"))
			break
		}
		text.WriteString(h.Text)
	}
	d.Text = words.Valid(strings.ReplaceAll(text.String(), "\r\n", "\n"))
	return d
}

func whyNoDiff(f landing.File) string {
	switch {
	case len(f.Hunks) > 0:
		return ""
	case f.State == landing.Left && f.Before.Hash == "" && f.After.Hash == "":
		return f.Why
	case f.Binary:
		return fmt.Sprintf("binary content is not shown: %s before, %s after", words.Size(f.Before.Size), words.Size(f.After.Size))
	case slices.Contains([]lifecycle.FileKind{f.Before.Kind, f.After.Kind}, lifecycle.FileLink):
		return "it is a symbolic link"
	case f.From != "" && f.Before.Same(f.After):
		return "it was renamed from " + f.From
	case f.Before.Hash == f.After.Hash:
		return "its permissions alone were changed"
	}
	return "it is too large to be shown"
}
