package worktrees

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pawl/internal/base"
	"pawl/internal/project"
	"pawl/internal/words"
	"pawl/internal/worktree"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/tools/git"
	"pawl/tools/process"
)

// treeRow is a worktree as --json gives it.
type treeRow struct {
	Path        string              `json:"path"`
	Branch      string              `json:"branch"`
	Base        string              `json:"base"`
	Checkout    string              `json:"checkout"` // that it was made from
	Session     lifecycle.SessionID `json:"session"`
	Agent       lifecycle.SessionID `json:"agent"`
	Description string              `json:"description"`
	Made        time.Time           `json:"made"`
	InUse       bool                `json:"in_use"` // its session is open in some process
	Files       int                 `json:"files"`
	Added       int                 `json:"added"`
	Removed     int                 `json:"removed"`
	Commits     int                 `json:"commits"`
	Uncommitted bool                `json:"uncommitted"`
	Unsaved     []string            `json:"uncommitted_files,omitempty"`
	Merged      bool                `json:"merged"`            // all its commits are in what the checkout has checked out
	Unknown     string              `json:"unknown,omitempty"` // why nobody could say what is in it
	note        worktree.Note
	repository  git.Repository
}

// holds says that something would be lost with it, or may be.
func (r treeRow) holds() bool {
	return r.Unknown != "" || r.Uncommitted || r.Commits > 0 && !r.Merged
}

// treeRows looks at all worktrees. Git is run in those alone whose folder is trusted.
func treeRows(ctx context.Context, b *base.Base) ([]treeRow, error) {
	notes, err := worktree.ReadNotes(b.Folders.Worktrees())
	rows := []treeRow{}
	found := map[string]git.Repository{}
	why := map[string]error{}
	for _, n := range notes {
		if _, known := found[n.Folder]; !known {
			found[n.Folder], why[n.Folder] = repositoryOf(ctx, b, n.Folder)
		}
		row := treeRow{
			Path: n.Path, Branch: n.Branch, Base: n.Base, Checkout: n.Top, Session: n.Session, Agent: n.Agent,
			Description: n.Description, Made: n.Made, note: n, repository: found[n.Folder],
		}
		row.look(ctx, why[n.Folder])
		rows = append(rows, row)
	}
	markUsed(ctx, b, rows)
	return rows, err
}

// repositoryOf is git in another folder, where that is trusted.
func repositoryOf(ctx context.Context, b *base.Base, folder string) (git.Repository, error) {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return git.Repository{}, fmt.Errorf("%s, whose session made it, is gone", folder)
	}
	there := *b
	there.World.Folder = folder
	p, err := project.ReadUnopened(ctx, &there)
	if err != nil {
		return git.Repository{}, err
	}
	return p.Repository(&process.Launcher{Containment: process.Containment(b.Settings.Tools.Containment), Withheld: b.Models.Withheld()})
}

// look says what is in it.
func (r *treeRow) look(ctx context.Context, why error) {
	var changes git.Changes
	if why == nil && r.note.Ready && r.note.There() { // else nobody has worked in it, or it is gone
		changes, why = r.note.Changes(ctx, r.repository)
	}
	if why != nil {
		r.Unknown = base.OneLine(why.Error())
		return
	}
	r.Files, r.Added, r.Removed, r.Commits = changes.Files, changes.Added, changes.Removed, changes.Commits
	r.Uncommitted, r.Merged, r.Unsaved = changes.Dirty, changes.Merged, changes.Names
}

// now is the row of a worktree that was half made when all were looked at, as it stands
// by now: somebody may have worked in it since. Its session is locked.
func (r treeRow) now(ctx context.Context) (treeRow, error) {
	note, found, err := worktree.ReadNote(r.Path)
	switch {
	case err != nil:
		return r, fmt.Errorf("%s stays: %w", r.Path, err)
	case !found:
		return r, fmt.Errorf("%s is gone: its session has removed it meanwhile", r.Path)
	case note.Ready != r.note.Ready && r.Unknown == "":
		r.note = note
		r.look(ctx, nil)
	}
	return r, nil
}

// markUsed notes which sessions are open. Without a database none is.
func markUsed(ctx context.Context, b *base.Base, rows []treeRow) {
	opened, err := store.Open(ctx, b.Folders.Database(), store.Options{ReadOnly: true})
	if err != nil {
		return
	}
	defer opened.Close() //nolint:errcheck // it was only read
	for i := range rows {
		_, used, err := opened.Holder(rows[i].Session)
		rows[i].InUse = used || err != nil
	}
}

// says is what is in it, in a few words.
func (r treeRow) says() string {
	switch {
	case r.Unknown != "":
		return "not looked at: " + r.Unknown
	case r.Files == 0 && r.Commits == 0 && !r.Uncommitted:
		return "unchanged"
	}
	text := fmt.Sprintf("%s +%d −%d", words.Count(r.Files, "file"), r.Added, r.Removed)
	if r.Commits > 0 {
		text += ", " + words.Count(r.Commits, "commit")
	}
	switch {
	case r.Uncommitted:
		text += ", not all committed"
	case r.Merged:
		text += ", merged"
	}
	return text
}

// mostNamed is how many files a line names; it counts the rest.
const mostNamed = 10

// loses is what would be gone with a worktree, by the names of its files.
func (r treeRow) loses() string {
	if r.Unknown != "" {
		return "what is in it, which could not be read (" + r.Unknown + ")"
	}
	var parts []string
	if r.Uncommitted {
		names := r.Unsaved[:min(mostNamed, len(r.Unsaved))]
		text := "uncommitted changes: " + strings.Join(names, ", ")
		if more := len(r.Unsaved) - len(names); more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		parts = append(parts, text)
	}
	if r.Commits > 0 && !r.Merged {
		parts = append(parts, fmt.Sprintf("%s on branch %s", words.Count(r.Commits, "commit"), r.Branch))
	}
	return strings.Join(parts, ", and ")
}

// stays says why a worktree is not removed, and what keeps its work.
func (r treeRow) stays() string {
	name := filepath.Base(r.Path)
	if r.Uncommitted {
		return fmt.Sprintf("%s stays: removing it would lose %s. To keep that: pawl worktrees rm %s --commit, which commits it and keeps the branch, or git -C %s stash -u", r.Path, r.loses(), name, r.Path)
	}
	return fmt.Sprintf("%s stays: it has %s. To merge that: git -C %s merge %s; to remove the folder and keep the branch: pawl worktrees rm %s --commit", r.Path, r.loses(), r.Checkout, r.Branch, name)
}
