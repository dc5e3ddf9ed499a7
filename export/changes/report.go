package changes

import (
	"context"
	"slices"

	"pawl/export/book"
	"pawl/lifecycle"
	"pawl/lifecycle/files"
)

// Filter chooses what is told. The zero value is all.
type Filter struct {
	Session lifecycle.SessionID // all runs of one
	Run     lifecycle.RunID
	Path    string // in its folder, with slashes
}

// Report is what a session changed, as it stood at the book's record. Differences are read
// through it, one at a time.
type Report struct {
	*book.Book
	Filter  Filter
	Folder  string // which paths are in where no other is named
	Prompts []Prompt
	Net     []files.Net // of Folder first, then the others by name
	Unknown []files.Unwatched
	log     *files.Log
}

// Prompt is what came of one prompt, up to the next: that is what a rewind to it takes back.
type Prompt struct {
	Point files.Point // zero: before the first
	Acts  []Act
}

// Act is what one run, one landing or one rewind changed after a prompt.
type Act struct {
	Run    lifecycle.RunID
	Source files.Source // Landing, Rewind; of a run that of its first change
	Says   string       // of a landing and a rewind: what was done
	Files  []files.Net  // sorted by folder and path
}

// Open reads the changes of a session. It costs as much as there are changes, where the source
// can tell them apart, and else a pass over the log.
func Open(ctx context.Context, b *book.Book, f Filter) (*Report, error) {
	r := &Report{Book: b, Filter: f, Folder: b.Source.Session.Folder, log: &files.Log{}}
	done := map[lifecycle.Seq]string{}
	err := b.EachChange(ctx, func(rec lifecycle.Record) {
		r.log.Apply(rec)
		switch e := rec.Event.(type) {
		case lifecycle.Landed:
			done[rec.Seq] = e.Words(b.Describe(rec.Run))
		case lifecycle.Rewound:
			done[rec.Seq] = e.Words()
		default:
		}
	})
	if err != nil {
		return nil, err
	}
	r.Net = r.log.Net(r.fits())
	r.Folder = r.mainFolder()
	slices.SortStableFunc(r.Net, func(a, b files.Net) int { return r.rank(a) - r.rank(b) })
	for _, open := range r.log.Unwatched() {
		if (f.Run == "" || f.Run == open.Run) && (f.Session == "" || f.Session == open.Session) {
			r.Unknown = append(r.Unknown, open)
		}
	}
	r.group(done)
	return r, nil
}

func (r *Report) fits() files.Filter {
	return files.Filter{Session: r.Filter.Session, Run: r.Filter.Run, Path: r.Filter.Path}
}

func (r *Report) rank(n files.Net) int {
	if n.Folder == r.Folder {
		return 0
	}
	return 1
}

// mainFolder is where the main agent works, as its changes and what people did say it: that is
// the session's folder without links. A run of a worktree has that one, and so has what a person took
// back of that run alone.
func (r *Report) mainFolder() string {
	in := func(folder string) bool {
		return slices.ContainsFunc(r.Net, func(n files.Net) bool { return n.Folder == folder })
	}
	for _, c := range r.log.Changes() {
		if (c.Session == r.Root || c.Source == files.Landing) && in(c.Folder) {
			return c.Folder
		}
	}
	if len(r.Net) > 0 && !in(r.Folder) {
		return r.Net[0].Folder
	}
	return r.Folder
}

// Empty reports that there is nothing to tell.
func (r *Report) Empty() bool { return len(r.Prompts) == 0 && len(r.Net) == 0 && len(r.Unknown) == 0 }

// group puts the changes under the prompts that they followed.
func (r *Report) group(done map[lifecycle.Seq]string) {
	var prompts []files.Point
	for _, p := range r.log.Points() {
		if p.Kind == files.AtPrompt {
			prompts = append(prompts, p)
		}
	}
	prompts = append([]files.Point{{}}, prompts...)
	changes := slices.DeleteFunc(r.log.Changes(), func(c files.Change) bool { return !r.fits().Fits(c) })
	for i, point := range prompts {
		last := lifecycle.Seq(0)
		if i+1 < len(prompts) {
			last = prompts[i+1].Seq
		}
		of := files.Filter{From: point.Seq, Before: last}
		if acts := r.acts(changes, of, done); len(acts) > 0 {
			r.Prompts = append(r.Prompts, Prompt{Point: point, Acts: acts})
		}
	}
}

// acts are what happened within a part of the log, in the order in which each began.
func (r *Report) acts(changes []files.Change, within files.Filter, done map[lifecycle.Seq]string) (acts []Act) {
	told, records := map[lifecycle.RunID]bool{}, map[lifecycle.Seq]bool{}
	for _, c := range changes {
		if !within.Fits(c) || records[c.Seq] {
			continue
		}
		of := within
		of.Run, of.Path, of.Own = c.Run, r.Filter.Path, true
		says, byPerson := done[c.Seq]
		switch {
		case byPerson:
			of.From, of.Before, of.Own = c.Seq, c.Seq+1, false
			records[c.Seq] = true
		case told[c.Run]:
			continue
		default:
			told[c.Run] = true
		}
		if nets := r.log.Net(of); len(nets) > 0 {
			acts = append(acts, Act{Run: c.Run, Source: c.Source, Says: says, Files: nets})
		}
	}
	return acts
}
