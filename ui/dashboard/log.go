package dashboard

import (
	"bytes"
	"slices"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/ui/timeline"
)

// Log is what the dashboard knows of the log beside the runs: when each session did what,
// and what came of it.
type Log struct {
	timeline.History
	work map[lifecycle.SessionID]*Work
}

// Work is what a session has planned and what it has changed, as far as its calls say so:
// what a shell changes nobody knows.
type Work struct {
	Todo  []agent.TodoItem
	Files []File // the one that was changed last at the end
}

// File is what a session has changed in a file, over all its calls.
type File struct {
	Path           string
	Added, Removed int
	New            bool
}

// mostFiles is how many files of a session are listed: more than any screen has rows.
const mostFiles = 200

// Fold takes in the next record in order; others change nothing.
func (l *Log) Fold(rec lifecycle.Record) {
	if rec.Seq != l.Seq+1 {
		return
	}
	l.History.Fold(rec)
	if e, is := rec.Event.(lifecycle.ToolEnded); is && telling(e.View) {
		view, _ := agent.DecodeView(e.View) // the conversation says what is wrong with it
		l.note(rec.Session, view)
	}
}

// telling reports whether a stored view may be one that is noted. It looks at its beginning
// only, where the kind stands: results are long, and most are of another kind.
func telling(view []byte) bool {
	head := view[:min(len(view), 24)]
	return bytes.Contains(head, []byte(`"todo"`)) || bytes.Contains(head, []byte(`"diff"`))
}

func (l *Log) note(session lifecycle.SessionID, view agent.View) {
	w := l.work[session]
	if w == nil {
		w = &Work{}
		if l.work == nil {
			l.work = map[lifecycle.SessionID]*Work{}
		}
		l.work[session] = w
	}
	switch v := view.(type) { // the others say nothing that is kept
	case agent.TodoView:
		w.Todo = v.Items
	case agent.DiffView:
		w.changed(v)
	default:
	}
}

func (w *Work) changed(v agent.DiffView) {
	f := File{Path: v.Path, New: v.New}
	if at := slices.IndexFunc(w.Files, func(f File) bool { return f.Path == v.Path }); at >= 0 {
		f = w.Files[at]
		w.Files = slices.Delete(w.Files, at, at+1)
	}
	f.Added, f.Removed = f.Added+v.Added, f.Removed+v.Removed
	w.Files = append(w.Files, f)
	if over := len(w.Files) - mostFiles; over > 0 {
		w.Files = slices.Delete(w.Files, 0, over)
	}
}

// Work is what a session has planned and changed.
func (l *Log) Work(session lifecycle.SessionID) Work {
	if w := l.work[session]; w != nil {
		return *w
	}
	return Work{}
}
