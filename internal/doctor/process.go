package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pawl/internal/base"
	"pawl/internal/protection"
	"pawl/tools/process"
)

// examineProcesses reports how Pawl ends what it started and puts the terminal right, and which
// processes were left behind.
func (e *Examination) examineProcesses(ctx context.Context) {
	findings := []Finding{protected("front", protection.Front()), protected("guard", protection.Guard()), protected("tools", protection.Launcher(ctx, e.settings.Tools.Containment))}
	findings = append(findings, e.leftOver(ctx)...)
	e.add("Processes", append(findings, e.crashes())...)
}

func protected(name string, p protection.Protection) Finding {
	found := Finding{Name: name, Level: levelOK, Says: p.Means, Value: p.Means}
	if p.Why != "" {
		found.Level = levelNote
		found.Says += ": " + p.Why
	}
	if p.Broken {
		found.Level, found.Do = levelProblem, "tools.containment in the settings chooses another"
	}
	for _, gap := range p.NotCovered {
		found.More = append(found.More, "not covered: "+gap)
	}
	return found
}

// leftOver looks for processes with Pawl's mark whose session nobody drives any more.
func (e *Examination) leftOver(ctx context.Context) []Finding {
	const name = "left over"
	all, told := process.ListMarked()
	switch {
	case !told:
		return []Finding{{Name: name, Level: levelInfo, Says: "this system does not tell which processes carry Pawl's mark"}}
	case e.store == nil:
		return []Finding{{Name: name, Level: levelInfo, Says: "not looked for: that takes the database"}}
	}
	slices.SortFunc(all, func(a, b process.Marked) int { return a.PID - b.PID })
	var findings []Finding
	for _, p := range all {
		root, err := e.store.RootOf(ctx, p.Run)
		if err != nil {
			return append(findings, blame(name, err))
		}
		if root == "" { // it belongs to another database
			continue
		}
		if _, used, err := e.store.Holder(root); err != nil || used {
			continue
		}
		findings = append(findings, Finding{
			Name: name, Level: levelNote, Value: p.PID,
			Says: fmt.Sprintf("process %d (%s), started by a tool of session %s, which is no longer running", p.PID, p.Name, root),
			Do:   fmt.Sprintf("kill %d ends it", p.PID),
			Next: fmt.Sprintf("run kill %d, for %s still runs and its session does not", p.PID, p.Name),
		})
	}
	if len(findings) == 0 {
		findings = []Finding{{Name: name, Level: levelOK, Says: "no process of a session that has ended"}}
	}
	return findings
}

// crashes lists the crash files in the state folder, which hold the traces of bugs and the times
// of kills.
func (e *Examination) crashes() Finding {
	const name = "crashes"
	var traces []string
	entries, _ := os.ReadDir(e.folders.State) // the folders section reports its error
	for _, entry := range entries {
		info, err := entry.Info()
		if strings.HasPrefix(entry.Name(), "crash") && err == nil && info.Size() > 0 { // an empty one belongs to a running Pawl
			traces = append(traces, filepath.Join(e.folders.State, entry.Name()))
		}
	}
	if len(traces) == 0 {
		return Finding{Name: name, Level: levelOK, Says: "none is recorded"}
	}
	return Finding{
		Name: name, Level: levelNote, Value: traces,
		Says: "what crashed Pawl is in " + base.ShortPath(strings.Join(traces, ", ")),
		Do:   "send it with the report of a bug; delete it when you have read it",
		Next: "read " + base.ShortPath(traces[0]) + ", for it says what crashed Pawl, and delete it then",
	}
}
