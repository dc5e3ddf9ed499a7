package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"pawl/internal/base"
	"pawl/internal/system"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/store"
)

// examineDatabase opens the database read-only and checks all of it. A file that is damaged,
// foreign or newer is named and left unchanged.
func (e *Examination) examineDatabase(ctx context.Context) Section {
	const title = "Database"
	path := e.folders.Database()
	opened, err := store.Open(ctx, path, store.Options{ReadOnly: true})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Section{title, []Finding{{Name: "file", Level: levelInfo, Says: base.ShortPath(path) + ": none yet, the first session creates it", Value: path}}}
	case err != nil:
		found := blame("file", err)
		found.Value = path
		return Section{title, []Finding{found}}
	}
	if err := opened.Check(ctx); err != nil {
		_ = opened.Close() // nothing in it can be relied on
		return Section{title, []Finding{{Name: "file", Level: levelOK, Says: base.ShortPath(path), Value: path}, blame("check", err)}}
	}
	e.store = opened
	health, err := opened.Health(ctx)
	if err != nil {
		return Section{title, []Finding{blame("file", err)}}
	}
	file := Finding{Name: "file", Level: levelOK, Says: base.ShortPath(path), Value: path}
	if err := system.CheckWritable(path); err != nil {
		file.Level = levelProblem
		file.Says += " cannot be written (" + err.Error() + ")"
		file.Do = "make it writable, or set PAWL_HOME to another folder; it can be read"
	}
	return Section{title, []Finding{
		file,
		{Name: "size", Level: levelOK, Says: humanize.IBytes(uint64(health.Size)), Value: health.Size}, //nolint:gosec // a size
		logged(health.Log),
		{Name: "schema", Level: levelOK, Says: fmt.Sprintf("%d, the one that this Pawl writes", health.Schema), Value: health.Schema},
		{Name: "check", Level: levelOK, Says: "sound"},
		{Name: "sessions", Level: levelOK, Says: fmt.Sprintf("%d, with %d of subagents", health.Sessions, health.Subagents), Value: health.Sessions},
	}}
}

// logged reports the size of the write-ahead log: what a running or killed Pawl has written and
// SQLite has not checkpointed yet.
func logged(size int64) Finding {
	says := "empty: all is in the file"
	if size > 0 {
		says = humanize.IBytes(uint64(size)) + " beside the file, folded into it in time"
	}
	return Finding{Name: "log", Level: levelOK, Says: says, Value: size}
}

// examineSessions lists the sessions that a process drives now, and those whose process died at
// work and that nobody has opened since.
func (e *Examination) examineSessions(ctx context.Context) {
	if e.store == nil {
		return
	}
	held, err := heldSessions(ctx, e.store)
	if err != nil {
		e.add("Sessions", blame("in use", err))
		return
	}
	var findings []Finding
	for _, h := range slices.SortedFunc(maps.Values(held), func(a, b heldSession) int { return strings.Compare(string(a.ID), string(b.ID)) }) {
		findings = append(findings, Finding{
			Name: "in use", Level: levelInfo, Value: string(h.ID),
			Says: fmt.Sprintf("%s, %q, %s", h.ID, h.Title, base.InUse(h.pid)),
		})
	}
	unended, err := e.store.Unended(ctx)
	if err != nil {
		findings = append(findings, blame("interrupted", err))
	}
	for _, u := range unended {
		if _, used := held[u.Root]; used {
			continue
		}
		findings = append(findings, Finding{
			Name: "interrupted", Level: levelNote, Value: string(u.Root),
			Says: fmt.Sprintf("%s, %q: %s that a dead process left", u.Root, u.Title, words.Count(u.Runs, "run")),
			Do:   "nothing runs any more; pawl --session " + string(u.Root) + " records it and can go on",
			Next: "run pawl --session " + string(u.Root) + ", for its process died at work and it can go on",
		})
	}
	if len(findings) == 0 {
		findings = []Finding{{Name: "in use", Level: levelOK, Says: "none; and none was interrupted"}}
	}
	e.add("Sessions", findings...)
}

// heldSession is a root session that a process drives now.
type heldSession struct {
	store.SessionInfo
	pid int // 0: not known
}

// heldSessions finds the sessions that a process drives now, this one included.
func heldSessions(ctx context.Context, s *store.Store) (map[lifecycle.SessionID]heldSession, error) {
	all, err := s.Sessions(ctx, store.Filter{RootsOnly: true})
	if err != nil {
		return nil, err
	}
	held := map[lifecycle.SessionID]heldSession{}
	for _, info := range all {
		pid, used, err := s.Holder(info.ID)
		if err != nil {
			return nil, err
		}
		if used {
			held[info.ID] = heldSession{info, pid}
		}
	}
	return held, nil
}
