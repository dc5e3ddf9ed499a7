package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/alecthomas/kong"
	"github.com/dustin/go-humanize"

	"pawl/agent/mask"
	"pawl/agent/sanitize"
	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/host"
	"pawl/internal/project"
	"pawl/internal/words"
	"pawl/internal/worktree"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/tools/git"
	"pawl/tools/process"
)

// treesCommand is pawl worktrees.
type treesCommand struct {
	Act          string   `arg:"" optional:"" enum:"list,rm" default:"list" help:"list, or rm to remove."`
	Names        []string `arg:"" optional:"" name:"worktree" complete:"worktree" help:"With rm: the worktrees, by their names or paths."`
	AllUnchanged bool     `help:"With rm: all worktrees without changes."`
	Commit       bool     `help:"With rm: commit what is not committed, remove the folders, and keep the branches."`
	Discard      bool     `help:"With rm: delete the changes in them too, and their branches, for good."`
	Yes          bool     `help:"With --discard: do not ask."`
	JSON         bool     `name:"json" help:"For programs: one JSON object."`
}

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

func (c *treesCommand) Run(ctx context.Context, w *base.World, _ *kong.Context) (int, error) {
	switch {
	case c.Act == "list" && (len(c.Names) > 0 || c.AllUnchanged || c.Discard || c.Commit || c.Yes):
		return host.ExitUsage, host.Usage("to remove worktrees: pawl worktrees rm NAME")
	case c.Act == "rm" && len(c.Names) == 0 && !c.AllUnchanged:
		return host.ExitUsage, host.Usage("which one? pawl worktrees rm NAME, or --all-unchanged; pawl worktrees lists them")
	case c.AllUnchanged && (len(c.Names) > 0 || c.Discard || c.Commit):
		return host.ExitUsage, host.Usage("--all-unchanged takes no names, commits nothing and discards nothing")
	case c.Commit && c.Discard:
		return host.ExitUsage, host.Usage("--commit keeps what --discard deletes: use only one of them")
	case c.Yes && !c.Discard:
		return host.ExitUsage, host.Usage("--yes goes with --discard: nothing else is asked")
	}
	if err := settings.CheckHome(); err != nil {
		return host.ExitError, base.AsUsage(err)
	}
	b, err := base.New(*w)
	if err != nil {
		return host.ExitError, err
	}
	defer b.Close()
	rows, err := treeRows(ctx, b)
	if err != nil {
		fmt.Fprintln(w.Err, "pawl: "+string(sanitize.Line(base.OneLine(err.Error()))))
	}
	switch {
	case c.Act == "rm":
		return c.remove(ctx, b, rows)
	case c.JSON:
		return host.ExitDone, mask.Mask{}.Encode(w.Out, struct {
			Worktrees []treeRow `json:"worktrees"`
		}{rows})
	}
	return host.ExitDone, printTrees(w.Out, rows)
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
	return p.Repository(&process.Launcher{Containment: process.Containment(b.Settings.Tools.Containment)})
}

// look says what is in it.
func (r *treeRow) look(ctx context.Context, why error) {
	var changes git.Changes
	if why == nil && r.note.Ready && r.note.There() { // else nobody has worked in it, or it is gone
		changes, why = r.repository.Changes(ctx, r.note.Top, r.Path, r.Branch, r.Base)
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

func printTrees(out io.Writer, rows []treeRow) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(out, "No worktrees: no subagent has left changes in one.")
		return err
	}
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, r := range rows {
		row := []string{filepath.Base(r.Path), humanize.RelTime(r.Made, time.Now(), "ago", "from now"), r.says(), r.Description}
		if r.InUse {
			row = append(row, "in use")
		}
		for i := range row {
			row[i] = string(sanitize.Line(row[i]))
		}
		fmt.Fprintln(table, strings.Join(row, "\t"))
		fmt.Fprintf(table, "  %s\n", sanitize.Line(fmt.Sprintf("%s, branch %s of %s, session %s, agent %s", base.ShortPath(r.Path), r.Branch, base.ShortPath(r.Checkout), r.Session, r.Agent)))
	}
	return table.Flush()
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

// tellTreesOf names the worktrees that outlast a session which is deleted: work may be in
// them that is nowhere else.
func tellTreesOf(b *base.Base, session lifecycle.SessionID) error {
	notes, err := worktree.ReadNotes(b.Folders.Worktrees())
	var names []string
	for _, n := range notes {
		if n.Session == session {
			names = append(names, filepath.Base(n.Path))
		}
	}
	if len(names) > 0 {
		fmt.Fprintln(b.World.Err, "pawl: "+string(sanitize.Line(fmt.Sprintf("its worktrees stay: %s (pawl worktrees says what is in them, and removes them)", strings.Join(names, ", ")))))
	}
	return err
}

// worktreesToName are what a shell completes.
func worktreesToName() (all []Candidate) {
	notes, _ := worktree.ReadNotes(settings.FindFolders().Worktrees()) // a shell shows no error
	for _, n := range notes {
		all = append(all, Candidate{Text: filepath.Base(n.Path), Says: strings.ReplaceAll(n.Description, "\t", " ")})
	}
	return all
}
