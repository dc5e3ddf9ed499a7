package verify

import (
	"io/fs"
	"time"

	"pawl/lifecycle"
	"pawl/lifecycle/files"
)

// changes is what an audit knows of changed files, and of where the session can go back to.
type changes struct {
	log    files.Log
	points map[lifecycle.Seq]point
	moment time.Time // of the newest record
	known  int       // how many messages of the root's transcript the log knew before that moment
}

// point is a record before which the session can be taken back: how many messages of the root's
// transcript the log knew before it was written, and the place of its own, 0 for none. What was
// written in one change with it, at the same moment, goes back with it.
type point struct{ known, place int }

// changed: what was changed in files is told once a record, by paths of its folder; a landing
// is of a subagent's worktree.
func (a *audit) changed(t *transition) {
	defer a.changes.log.Apply(t.rec) // what a rewind has to do is asked before
	switch e := t.rec.Event.(type) {
	case lifecycle.FilesChanged:
		a.checkFiles(t.rec.Run, e.Folder, e.Files)
		if len(e.Files) == 0 && e.Unwatched == "" {
			a.fault(promiseChanges, t.rec.Run, e.Call, "it says nothing")
		}
	case lifecycle.Landed:
		a.checkFiles(t.rec.Run, e.Folder, e.Files)
		switch {
		case !t.after.Subagent() || !t.after.Apart():
			a.fault(promiseChanges, t.rec.Run, "", "it landed something, but is no subagent with a worktree of its own")
		case e.Branch != "" && t.after.Branch != "" && e.Branch != t.after.Branch:
			a.fault(promiseChanges, t.rec.Run, "", "what it landed is of branch %s, but its own is %s", e.Branch, t.after.Branch)
		}
	case lifecycle.Rewound:
		a.checkFiles(t.rec.Run, e.Folder, e.Files)
	default:
	}
}

func (a *audit) checkFiles(run lifecycle.RunID, folder string, all []lifecycle.FileChange) {
	if folder == "" && len(all) > 0 {
		a.fault(promiseChanges, run, "", "files were changed in no folder")
	}
	seen := map[string]bool{}
	for _, file := range all {
		switch {
		case seen[file.Path]:
			a.fault(promiseChanges, run, "", "%s stands twice in it", file.Path)
		case !a.src.Bare && (!fs.ValidPath(file.Path) || file.Path == "."):
			a.fault(promiseChanges, run, "", "%q is no path of a file in the folder", file.Path)
		case file.Before.Same(file.After):
			a.fault(promiseChanges, run, "", "%s is as it was before", file.Path)
		}
		seen[file.Path] = true
	}
}

// rewound: a rewind goes back to a prompt, a landing or a rewind, and to what was there.
func (a *audit) rewound(t *transition) {
	e, is := t.rec.Event.(lifecycle.Rewound)
	if !is {
		return
	}
	fault := func(format string, args ...any) { a.fault(promiseRewinds, t.rec.Run, "", format, args...) }
	_, known := a.changes.points[e.To]
	of := a.root
	if e.Only != "" {
		of = e.Only
	}
	switch {
	case !known:
		fault("record %d is no prompt of the user's, no landing and no rewind before it", e.To)
	case t.rec.Session != of:
		fault("it stands on a run of session %s, but it takes back what session %s did", t.rec.Session, of)
	case e.Conversation && e.Only != "":
		fault("it takes back a conversation, but is of the files of one subagent")
	case e.Conversation && !t.after.State.Terminal():
		fault("it takes back the conversation of a run that goes on")
	}
	a.tookBack(t, e)
}

// tookBack holds the files of a rewind against what the records before it make of them. What
// somebody else has changed since shows only in what a rewind found, and that may be anything.
func (a *audit) tookBack(t *transition, e lifecycle.Rewound) {
	if len(e.Files) == 0 {
		return
	}
	want := map[string]files.Take{}
	for _, take := range a.changes.log.TakeBack(e.Folder, e.To, e.Only) {
		want[take.Path] = take
	}
	for _, file := range e.Files {
		take, due := want[file.Path]
		switch {
		case !due:
			a.fault(promiseRewinds, t.rec.Run, "", "it put back %s, which no record since record %d has changed", file.Path, e.To)
		case take.Uncovered == "" && !take.Want.Same(file.After):
			a.fault(promiseRewinds, t.rec.Run, "", "it put back %s, but not to what it was before record %d", file.Path, e.To)
		}
	}
}

// arrive notes how much the log knows before what is written at a moment.
func (c *changes) arrive(rec lifecycle.Record, known int) {
	if !rec.Time.Equal(c.moment) {
		c.moment, c.known = rec.Time, known
	}
}

// pointAt notes a record that can be gone back to, with the place of its message, 0 for none.
func (a *audit) pointAt(t *transition, place int) {
	root := t.rec.Session == a.root
	switch e := t.rec.Event.(type) {
	case lifecycle.Spawned:
		if !root || e.From != lifecycle.FromUser || e.Prompt == "" || e.Trigger == lifecycle.TriggerCompact {
			return
		}
	case lifecycle.MessageTaken:
		if !root || e.From != lifecycle.FromUser {
			return
		}
	case lifecycle.Landed, lifecycle.Rewound:
	default:
		return
	}
	if a.changes.points == nil {
		a.changes.points = map[lifecycle.Seq]point{}
	}
	a.changes.points[t.rec.Seq] = point{a.changes.known, place}
}

// keeps holds a rewind of the conversation against the place of what it goes back to: what the
// log knew before that stays, and neither it nor what came later does.
func (a *audit) keeps(t *transition, keep int) {
	e, is := t.rec.Event.(lifecycle.Rewound)
	to, known := a.changes.points[e.To]
	if !is || !known {
		return
	}
	if keep < to.known || to.place > 0 && keep >= to.place {
		a.fault(promiseRewinds, t.rec.Run, "", "its entry keeps %d messages, which is not what was said before record %d", keep, e.To)
	}
}
