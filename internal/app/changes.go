package app

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"pawl/internal/base"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/lifecycle/files"
	"pawl/tools/filestore"
	"pawl/ui/changes"
	"pawl/ui/wording"
)

// Changes reads what was changed in files by one root session, for people to look at. Its methods may
// be called from any goroutine.
type Changes struct {
	root    lifecycle.SessionID
	folder  string // the session's
	records func(context.Context, lifecycle.SessionID) ([]lifecycle.Record, error)
	kept    *filestore.Store // nil: nothing is kept

	mu   sync.Mutex
	read *changeLog // as it was listed last
}

// NewChanges reads the changes of a root session that stands in a folder: the records of its log that
// lifecycle/files folds, and the contents that were kept; nil for none.
func NewChanges(root lifecycle.SessionID, folder string, records func(context.Context, lifecycle.SessionID) ([]lifecycle.Record, error), kept *filestore.Store) *Changes {
	return &Changes{root: root, folder: folder, records: records, kept: kept}
}

func (c *Changes) contents(hash string) ([]byte, error) {
	if c.kept == nil {
		return nil, filestore.ErrNotKept
	}
	return c.kept.Read(hash)
}

// changeLog is the log of a session as far as it is about files. It is not changed any more.
type changeLog struct {
	files.Log
	byRuns  files.Log // without what people took back: that is no run's
	runs    map[lifecycle.RunID]lifecycle.Run
	rewinds []operation
	landed  []operation
	places  map[place][]files.Change // of each file, in the order of the log
}

// place is a file of a folder.
type place struct{ folder, path string }

// operation is a landing or a rewind: which files of which folder it is about. What it has taken back
// came after to.
type operation struct {
	at, to lifecycle.Seq
	folder string
	paths  map[string]bool
}

func newOperation(rec lifecycle.Record, to lifecycle.Seq, folder string, changed []lifecycle.FileChange) operation {
	o := operation{at: rec.Seq, to: to, folder: folder, paths: map[string]bool{}}
	for _, f := range changed {
		o.paths[f.Path] = true
	}
	return o
}

// reaches reports whether it came after some changes of a file, and is about them.
func (o operation) reaches(net files.Net) bool {
	first, last := net.Changes[0], net.Changes[len(net.Changes)-1]
	return o.at > last.Seq && o.to <= first.Seq && o.folder == net.Folder && o.paths[net.Path]
}

func newChangeLog(records []lifecycle.Record) *changeLog {
	l := &changeLog{runs: map[lifecycle.RunID]lifecycle.Run{}, places: map[place][]files.Change{}}
	for _, rec := range records {
		l.Apply(rec)
		switch e := rec.Event.(type) {
		case lifecycle.Spawned:
			l.runs[rec.Run] = lifecycle.Run{ID: rec.Run, Session: rec.Session, Spec: e.Spec}
		case lifecycle.Rewound:
			l.rewinds = append(l.rewinds, newOperation(rec, e.To, e.Folder, e.Files))
			continue
		case lifecycle.Landed:
			l.landed = append(l.landed, newOperation(rec, 0, e.Worktree, e.Files))
		default: // the log knows it
		}
		l.byRuns.Apply(rec)
	}
	for _, change := range l.Changes() {
		at := place{change.Folder, change.Path}
		l.places[at] = append(l.places[at], change)
	}
	return l
}

// load reads the log, which others may have written to since.
func (c *Changes) load(ctx context.Context) (*changeLog, error) {
	records, err := c.records(ctx, c.root)
	if err != nil {
		return nil, err
	}
	log := newChangeLog(records)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read = log
	return log, nil
}

// loaded is the log as it was listed last.
func (c *Changes) loaded(ctx context.Context) (*changeLog, error) {
	c.mu.Lock()
	log := c.read
	c.mu.Unlock()
	if log != nil {
		return log, nil
	}
	return c.load(ctx)
}

// List lists what the session changed or, with only, one of its subagents.
func (c *Changes) List(ctx context.Context, only lifecycle.SessionID) (changes.Listing, error) {
	log, err := c.load(ctx)
	if err != nil {
		return changes.Listing{}, err
	}
	var l changes.Listing
	l.Groups[changes.ByPrompt] = c.byPrompt(log, only)
	l.Groups[changes.ByRun] = c.byRun(log, only)
	l.Groups[changes.ByFile] = c.byFile(log, only)
	for _, u := range log.Unwatched() {
		if only == "" || u.Session == only {
			l.Unwatched = append(l.Unwatched, fmt.Sprintf("a command of %s: %s", log.name(u.Run), u.Why))
		}
	}
	if only != "" {
		l.Words = log.nameOf(only)
	}
	return l, nil
}

// byPrompt puts together what followed a prompt, the newest prompt first.
func (c *Changes) byPrompt(log *changeLog, only lifecycle.SessionID) []changes.Group {
	prompts := slices.DeleteFunc(log.Points(), func(p files.Point) bool { return p.Kind != files.AtPrompt })
	var groups []changes.Group
	for i := len(prompts) - 1; i >= -1; i-- {
		which := changes.Which{Session: only}
		title := "before the first prompt"
		if i+1 < len(prompts) {
			which.BeforeNext = prompts[i+1].Seq
		}
		if i >= 0 {
			which.From, title = prompts[i].Seq, words.FirstLine(prompts[i].Text)
		} else if len(prompts) == 0 {
			break
		}
		groups = appendGroup(groups, title, log.filesOf(which))
	}
	return groups
}

// byRun puts together what each run changed, the newest first, and what each rewind took back.
func (c *Changes) byRun(log *changeLog, only lifecycle.SessionID) []changes.Group {
	var groups []changes.Group
	seen := map[lifecycle.RunID]bool{}
	for _, change := range slices.Backward(log.Changes()) {
		if only != "" && change.Session != only {
			continue
		}
		if change.Source == files.Rewind {
			continue
		}
		if !seen[change.Run] {
			seen[change.Run] = true
			groups = appendGroup(groups, log.title(change.Run), log.filesOf(changes.Which{Session: only, Run: change.Run}))
		}
	}
	return groups
}

// byFile puts together what is in one folder, the session's own first.
func (c *Changes) byFile(log *changeLog, only lifecycle.SessionID) []changes.Group {
	var folders []string
	for _, change := range log.Changes() {
		if !slices.Contains(folders, change.Folder) {
			folders = append(folders, change.Folder)
		}
	}
	if at := slices.Index(folders, c.folder); at > 0 {
		folders[0], folders[at] = folders[at], folders[0]
	}
	var groups []changes.Group
	for _, folder := range folders {
		groups = appendGroup(groups, base.ShortPath(folder), log.filesOf(changes.Which{Session: only, Folder: folder}))
	}
	return groups
}

func appendGroup(groups []changes.Group, title string, all []changes.File) []changes.Group {
	if len(all) == 0 {
		return groups
	}
	return append(groups, changes.Group{Title: title, Files: all})
}

// filterOf is what a diff is of, and the log that it is in.
func (l *changeLog) filterOf(which changes.Which) (*files.Log, files.Filter) {
	filter := files.Filter{Session: which.Session, Run: which.Run, From: which.From, Before: which.BeforeNext, Folder: which.Folder, Path: which.Path}
	if which.Run != "" {
		return &l.byRuns, filter
	}
	return &l.Log, filter
}

// filesOf are the files that some changes changed.
func (l *changeLog) filesOf(which changes.Which) []changes.File {
	log, filter := l.filterOf(which)
	var all []changes.File
	for _, net := range log.Net(filter) {
		which.Folder, which.Path, which.Before, which.After = net.Folder, net.Path, net.Before, net.After
		writers, _ := l.writers(net)
		all = append(all, changes.File{
			Which: which, Writers: writers, Uncovered: net.Uncovered,
			Since: net.Gap || l.changedSince(net), TakenBack: l.takenBack(net), Landed: l.landedSince(net),
		})
	}
	return all
}

// writers are who changed a file, in the order of their first changes; which says who made each change.
func (l *changeLog) writers(net files.Net) (all []changes.Writer, which []int) {
	for _, change := range net.Changes {
		w := l.writer(change)
		at := slices.IndexFunc(all, func(other changes.Writer) bool { return other.Session == w.Session && other.Name == w.Name })
		if at < 0 {
			all, at = append(all, w), len(all)
		}
		which = append(which, at)
	}
	return all, which
}

// writer is who answers for a change: a command's agent for the command, the main agent for what was
// taken back.
func (l *changeLog) writer(change files.Change) changes.Writer {
	run := l.runs[change.Run]
	if run.Shell() {
		return changes.Writer{Session: run.Parent, Run: run.ParentRun, Name: l.nameOf(run.Parent)}
	}
	if change.Source == files.Rewind {
		return changes.Writer{Session: run.Root, Run: change.Run, Name: "rewind"}
	}
	return changes.Writer{Session: change.Session, Run: change.Run, Name: l.name(change.Run)}
}

func (l *changeLog) name(run lifecycle.RunID) string { return wording.Name(l.runs[run]).String() }

// nameOf names a session as its first run is called.
func (l *changeLog) nameOf(session lifecycle.SessionID) string {
	var first lifecycle.Run
	for _, run := range l.runs {
		if run.Session == session && (first.ID == "" || run.ID < first.ID) {
			first = run
		}
	}
	return wording.Name(first).String()
}

// title names a run, and of the main agent what it was asked.
func (l *changeLog) title(run lifecycle.RunID) string {
	r := l.runs[run]
	if asked := words.FirstLine(r.Prompt); !r.Child() && asked != "" {
		return fmt.Sprintf("%s · %s", l.name(run), asked)
	}
	return l.name(run)
}

// changedSince reports whether another session has changed a file after these changes of it.
func (l *changeLog) changedSince(net files.Net) bool {
	last := net.Changes[len(net.Changes)-1]
	all := l.places[place{net.Folder, net.Path}]
	for _, later := range slices.Backward(all) {
		if later.Seq <= last.Seq {
			return false
		}
		if later.Session != last.Session && later.Source != files.Rewind {
			return true
		}
	}
	return false
}

// takenBack reports whether a rewind has gone back to before these changes of a file.
func (l *changeLog) takenBack(net files.Net) bool {
	return slices.ContainsFunc(l.rewinds, func(o operation) bool { return o.reaches(net) })
}

// landedSince reports whether changes came by a landing, or went into the folder by a later one.
func (l *changeLog) landedSince(net files.Net) bool {
	return slices.ContainsFunc(net.Changes, func(c files.Change) bool { return c.Source == files.Landing }) ||
		slices.ContainsFunc(l.landed, func(o operation) bool { return o.reaches(net) })
}
