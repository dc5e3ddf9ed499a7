package doctor

import (
	"cmp"
	"strings"

	"pawl/internal/base"
	"pawl/lifecycle"
)

// examineTypes lists the subagent types with their sources, the files that cannot be used, and
// what is ignored in those that can.
func (e *Examination) examineTypes() {
	found := e.project.Types
	var findings []Finding
	for _, kind := range found.Types {
		line := Finding{Name: kind.Name, Level: levelOK, Says: base.ShortPath(kind.Source), Value: kind.Source}
		if missing := e.Models.Missing(kind.Model); kind.Model != "" && missing != "" {
			line.Level, line.Says = levelNote, line.Says+": it works with "+kind.Model+", which needs "+missing
			line.Do = "set it, or name another model there"
		}
		if (kind.Isolation == lifecycle.IsolationWorktree || kind.Isolation == lifecycle.IsolationRemote) && e.project.Checkout.Top == "" {
			line.Level, line.Says = levelNote, line.Says+": it works in a git worktree, and this folder is in no checkout"
			line.Do = "git init, or start pawl in a checkout"
		}
		if !e.project.Trusts(e.project.Kinds) && e.project.OfProject(kind) {
			line.Level, line.Says = levelNote, line.Says+", not trusted yet and not used"
			line.Do = cmp.Or(line.Do, "pawl asks about it when you open it here")
		}
		for _, note := range found.Notes {
			if note.Where == kind.Source || strings.HasPrefix(note.Where, kind.Source+":") {
				line.More = append(line.More, "ignored: "+base.Remark(note))
			}
		}
		findings = append(findings, line)
	}
	for _, bad := range found.Problems {
		findings = append(findings, Finding{Name: "file", Level: levelProblem, Says: base.Remark(bad), Do: "fix it or move it away; the other types work without it", Value: bad.Where})
	}
	e.add("Agent types", findings...)
}
