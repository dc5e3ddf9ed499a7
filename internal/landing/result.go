package landing

import (
	"slices"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// LineType is the type of a Line.
const LineType = "landing"

// Line is a result as other programs read it. Long texts are cut.
type Line struct {
	Type string `json:"type"`
	Result
}

// longestSide bounds how much of a side of a conflict a Line has, in bytes.
const longestSide = 2000

// Line is the result for other programs.
func (r Result) Line() Line {
	plan := *r.Plan
	plan.Files = slices.Clone(plan.Files)
	for i, f := range plan.Files {
		plan.Files[i].Conflicts = slices.Clone(f.Conflicts)
		for n := range plan.Files[i].Conflicts {
			c := &plan.Files[i].Conflicts[n]
			c.Folder, c.Base, c.Worktree = words.CutBytes(c.Folder, longestSide), words.CutBytes(c.Base, longestSide), words.CutBytes(c.Worktree, longestSide)
		}
	}
	return Line{LineType, Result{&plan, r.Landed, r.Warning}}
}

// Result is what a landing did, or a plan of it.
type Result struct {
	*Plan
	Landed *lifecycle.Landed `json:"landed,omitempty"` // nil: nothing was landed
	// Warning is what is still to be done after it, in one line.
	Warning string `json:"warning,omitempty"`
}

// Says is what a landing did, in one line for people.
func Says(landed lifecycle.Landed) string {
	text := words.Count(len(landed.Files), "file") + " landed in " + landed.Folder
	if len(landed.Files) == 0 {
		text = "everything is in " + landed.Folder + " already"
	}
	if landed.Commit != "" {
		text += ", as commit " + words.First(landed.Commit, shortCommit)
	}
	switch {
	case landed.Removed:
		text += "; its worktree is removed"
	case len(landed.Left) > 0:
		text += "; left in the worktree: " + listed(landed.Left)
	default:
		text += "; its worktree stays"
	}
	return text
}

const shortCommit = 10

// Clean reports that git could merge all that was asked for.
func (r Result) Clean() bool { return r.Plan != nil && len(r.Of(Conflict)) == 0 }
