package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall"

	"pawl/internal/base"
	"pawl/internal/fleet"
	"pawl/internal/hosted"
)

// examineHosts lists the processes that have sessions open and can be reached, and those that do not
// answer. A socket that nobody listens at is removed by looking.
func (e *Examination) examineHosts(ctx context.Context) {
	folder := hosted.Folder()
	before, err := folder.Sessions()
	switch {
	case errors.Is(err, syscall.ENOTDIR): // the folders section says so of what is above
		return
	case err != nil:
		e.add("Hosts", Finding{Name: "sockets", Level: levelProblem, Says: err.Error(), Value: folder.Path()})
		return
	}
	hosts, troubles, err := fleet.Hosts(ctx, folder)
	if err != nil {
		e.add("Hosts", blame("sockets", err))
		return
	}
	var findings []Finding
	for _, h := range hosts {
		findings = append(findings, hostFinding(h))
	}
	for _, t := range troubles {
		findings = append(findings, Finding{Name: "host", Level: levelNote, Value: t.Session, Says: fmt.Sprintf("session %s: %s", t.Session, t.Error), More: []string{base.ShortPath(folder.Socket(t.Session))}})
	}
	after, _ := folder.Sessions() // the error would have been that of before
	for _, id := range before {
		if !slices.Contains(after, id) {
			findings = append(findings, Finding{Name: "left over", Level: levelInfo, Value: id, Says: fmt.Sprintf("the socket of session %s, whose process is gone: removed", id)})
		}
	}
	if len(findings) == 0 {
		findings = []Finding{{Name: "sockets", Level: levelOK, Says: "no session is open; they would be in " + base.ShortPath(folder.Path()), Value: folder.Path()}}
	}
	e.add("Hosts", findings...)
}

func hostFinding(s fleet.Status) Finding {
	found := Finding{
		Name: "host", Level: levelOK, Value: string(s.Session),
		Says: fmt.Sprintf("process %d, Pawl %s, has session %s open, %q", s.PID, s.Pawl, s.Session, s.Title),
		More: []string{base.ShortPath(hosted.Folder().Socket(string(s.Session)))},
	}
	if s.Pawl != base.VersionText() {
		found.Level, found.Do = levelNote, "it is of another version than this one, which reaches it all the same; the session opened again is of this one"
	}
	return found
}
