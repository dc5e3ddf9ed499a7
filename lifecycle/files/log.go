package files

import (
	"cmp"
	"slices"

	"pawl/lifecycle"
)

// Log is the fold of the records of one root session into changes of files. It takes them in
// their order and ignores those that say nothing of files, so that a part of the log serves as
// well: what it knows of runs comes from their Spawned. One goroutine uses it. What it returns
// is the caller's.
type Log struct {
	changes   []Change
	unwatched []Unwatched
	points    []Point
	rewinds   []rewind
	runs      map[lifecycle.RunID]spawned
}

// spawned is what a log remembers of a run.
type spawned struct {
	seq         lifecycle.Seq
	session     lifecycle.SessionID // of a shell that of the agent whose command it is
	description string
}

// rewind is one of the root's conversation.
type rewind struct{ seq, to lifecycle.Seq }

// Apply takes in the next record.
func (l *Log) Apply(rec lifecycle.Record) {
	switch e := rec.Event.(type) {
	case lifecycle.Spawned:
		l.enlist(rec, e.Spec)
	case lifecycle.MessageTaken:
		if rec.Session == rec.Root && e.From == lifecycle.FromUser {
			l.point(rec, AtPrompt, e.Text, 0)
		}
	case lifecycle.FilesChanged:
		l.add(rec, Change{Call: e.Call, Source: Source(e.By), Folder: e.Folder, Beside: e.Beside}, e.Files)
		if e.Unwatched != "" {
			l.unwatched = append(l.unwatched, Unwatched{
				Seq: rec.Seq, Time: rec.Time, Session: l.whose(rec), Run: rec.Run, Call: e.Call, Folder: e.Folder, Why: e.Unwatched,
			})
		}
	case lifecycle.Landed:
		l.add(rec, Change{Source: Landing, Folder: e.Folder}, e.Files)
		l.point(rec, AtLanding, l.runs[rec.Run].description, len(e.Files))
	case lifecycle.Rewound:
		l.add(rec, Change{Source: Rewind, Folder: e.Folder}, e.Files)
		l.point(rec, AtRewind, e.Prompt, len(e.Files))
		if e.Conversation {
			l.rewinds = append(l.rewinds, rewind{rec.Seq, e.To})
		}
	default: // nothing of files
	}
}

func (l *Log) enlist(rec lifecycle.Record, spec lifecycle.Spec) {
	if l.runs == nil {
		l.runs = map[lifecycle.RunID]spawned{}
	}
	session := rec.Session
	if spec.Kind == lifecycle.KindShell {
		session = spec.Parent
	}
	l.runs[rec.Run] = spawned{seq: rec.Seq, session: session, description: spec.Description}
	prompted := spec.Prompt != "" && spec.From == lifecycle.FromUser && spec.Trigger != lifecycle.TriggerCompact
	if rec.Session == rec.Root && prompted {
		l.point(rec, AtPrompt, spec.Prompt, 0)
	}
}

func (l *Log) point(rec lifecycle.Record, kind PointKind, text string, files int) {
	l.points = append(l.points, Point{
		Seq: rec.Seq, Time: rec.Time, Kind: kind, Session: rec.Session, Run: rec.Run, Text: text, Files: files,
	})
}

func (l *Log) add(rec lifecycle.Record, from Change, changed []lifecycle.FileChange) {
	from.Seq, from.Time, from.Session, from.Run = rec.Seq, rec.Time, l.whose(rec), rec.Run
	for _, file := range changed {
		from.FileChange = file
		l.changes = append(l.changes, from)
	}
}

// whose is the session of the agent that has done what a record says.
func (l *Log) whose(rec lifecycle.Record) lifecycle.SessionID {
	return cmp.Or(l.runs[rec.Run].session, rec.Session)
}

// Began is the record with which a run began; 0 where that is not known.
func (l *Log) Began(run lifecycle.RunID) lifecycle.Seq { return l.runs[run].seq }

// Stood reports whether a record of the root's conversation was part of it right before another one: no
// rewind had taken it back, or a later one had taken that back.
func (l *Log) Stood(seq, before lifecycle.Seq) bool {
	for _, r := range slices.Backward(l.rewinds) {
		switch {
		case r.seq >= before: // it came later, or was taken back itself
		case seq > r.seq:
			return seq < before
		default:
			before = r.to
		}
	}
	return seq < before
}

// Changes are all changes, in the order of the log.
func (l *Log) Changes() []Change { return slices.Clone(l.changes) }

// Points are the records before which the session can be taken back, in the order of the log:
// what people wrote to the root, landings and rewinds.
func (l *Log) Points() []Point { return slices.Clone(l.points) }

// Unwatched are the commands of which it is not known what they changed, in the order of the log.
func (l *Log) Unwatched() []Unwatched { return slices.Clone(l.unwatched) }
