package landing

import (
	"slices"
	"strings"

	"pawl/internal/words"
	"pawl/internal/worktree"
	"pawl/lifecycle"
	"pawl/tools/git"
)

// State says what landing would do with a file.
type State string

// The states of a file of a plan.
const (
	Lands    State = "lands"    // it is merged, and would be put in place
	There    State = "there"    // the folder has it already
	Conflict State = "conflict" // git cannot merge it
	Left     State = "left"     // it is not for landing, or was not chosen
)

// Plan is what a worktree holds, and what landing it would do. Its values do not change; whoever made
// it must Close it.
type Plan struct {
	Agent    lifecycle.SessionID `json:"agent_id"`
	Folder   string              `json:"folder"` // what it is landed in: absolute, without links
	Worktree string              `json:"worktree"`
	Branch   string              `json:"branch"`
	Files    []File              `json:"files"` // by path

	kept       func(hash string) ([]byte, error)
	repository git.Repository
	note       worktree.Note
	scratch    *git.Scratch
	tree       string // all that the worktree holds
	head       string // what is checked out there
	within     string // of the folder in its checkout, with a slash at its end; empty: it is the checkout
}

// File is one file that the subagent changed. A renamed file is one of them.
type File struct {
	Path  string `json:"path"`           // relative to the folder, with slashes; of one that cannot land it may lead out
	From  string `json:"from,omitempty"` // its path before it was renamed
	State State  `json:"state"`
	Why   string `json:"why,omitempty"` // it conflicts or is left
	// Hunks are what the subagent changed in it, one by one. None: it lands whole or not at all.
	Hunks []Hunk `json:"hunks,omitempty"`
	// Chosen are the numbers of the hunks that were chosen, from 0; nil: all of it.
	Chosen    []int         `json:"chosen,omitempty"`
	Conflicts []Conflicting `json:"conflicts,omitempty"`
	Added     int           `json:"added"`   // lines of the subagent's change
	Removed   int           `json:"removed"` // lines
	Binary    bool          `json:"binary,omitempty"`

	// Before and After are the subagent's sides: what it began with, and what it made of it.
	Before lifecycle.FileState `json:"-"`
	After  lifecycle.FileState `json:"-"`

	difference git.Difference
	puts       []put
}

// Conflicting is a place that git cannot merge: both sides have changed it.
type Conflicting struct {
	Line     int    `json:"line"`            // in the folder's file, from 1
	Hunks    []int  `json:"hunks,omitempty"` // the hunks that it is of
	Folder   string `json:"in_folder"`
	Base     string `json:"before"`
	Worktree string `json:"in_worktree"`
}

// put is one file that is to be put in place.
type put struct {
	path         string
	expect, want lifecycle.FileState
	content      string // the path of what it is to hold, in the scratch folder; empty where nothing is to stand there
}

// Close deletes what was worked out aside.
func (p *Plan) Close() {
	if p != nil && p.scratch != nil {
		p.scratch.Remove()
	}
}

// Of are the files in a state.
func (p *Plan) Of(state State) (files []File) {
	return slices.DeleteFunc(slices.Clone(p.Files), func(f File) bool { return f.State != state })
}

// whole reports that nothing of the worktree would be left.
func (p *Plan) whole() bool { return len(p.left()) == 0 }

// left are the files that would not, or not wholly, be landed.
func (p *Plan) left() (paths []string) {
	for _, f := range p.Files {
		if f.State == Conflict || f.State == Left || f.partly() {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

func (f File) partly() bool { return f.Chosen != nil && len(f.Chosen) < len(f.Hunks) }

// Says is the plan in one line, for people: what lands, what not.
func (p *Plan) Says() string {
	var parts []string
	for _, one := range []struct {
		state State
		says  string
	}{{Lands, "to land"}, {There, "already there"}, {Conflict, "in conflict"}, {Left, "left"}} {
		if n := len(p.Of(one.state)); n > 0 {
			parts = append(parts, words.Count(n, "file")+" "+one.says)
		}
	}
	if len(parts) == 0 {
		return "nothing to land"
	}
	return strings.Join(parts, ", ")
}
