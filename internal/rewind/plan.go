package rewind

import (
	"fmt"
	"slices"
	"strings"

	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/lifecycle/files"
)

// State says what a rewind would do with a file.
type State string

// The states of a file of a plan.
const (
	Back    State = "back"    // it is put back
	Already State = "already" // it is so already
	Left    State = "left"    // somebody else has changed it: it is put back only if it is chosen
	Cannot  State = "cannot"  // it cannot be put back
)

// Plan is what a rewind would do to the files of a folder. It is a value.
type Plan struct {
	Folder string // absolute, without links
	To     lifecycle.Seq
	Only   lifecycle.SessionID // the subagent whose files alone it is about
	Files  []File              // by path
}

// File is one file of a plan.
type File struct {
	Path    string // relative to the folder, with slashes
	State   State
	Why     string // it is left, or cannot be put back
	Want    lifecycle.FileState
	Now     lifecycle.FileState // what stands there
	Writers []lifecycle.RunID   // who changed what would be taken back, in the order of the log
}

// Why a file is left, or cannot be put back.
const (
	changedSince = "changed since by somebody else"
	notKept      = "what it held before is not kept"
	tooLarge     = "what stands there is too large to be kept"
)

// Disk is what is to be known of the folder: what stands at a path now, or why that cannot be said, and
// whether the content with a hash is kept.
type Disk struct {
	Read func(path string) (lifecycle.FileState, error)
	Has  func(hash string) bool
}

// Make works out what taking back these files would do.
func Make(folder string, to lifecycle.Seq, only lifecycle.SessionID, takes []files.Take, disk Disk) Plan {
	p := Plan{Folder: folder, To: to, Only: only}
	for _, take := range takes {
		p.Files = append(p.Files, judge(take, disk))
	}
	return p
}

func judge(take files.Take, disk Disk) File {
	f := File{Path: take.Path, Want: take.Want, Writers: take.Writers}
	var err error
	f.Now, err = disk.Read(take.Path)
	switch {
	case take.Uncovered == lifecycle.Nameless: // what stands at its path says nothing of it
		f.State, f.Why = Cannot, take.Uncovered
	case err != nil:
		f.State, f.Why = Cannot, err.Error()
	case f.Now.Kind != lifecycle.FileNone && f.Now.Hash == "":
		f.State, f.Why = Cannot, tooLarge
	case f.Now.Same(take.Want):
		f.State = Already
	case take.Uncovered != "":
		f.State, f.Why = Cannot, take.Uncovered
	case take.Want.Kind != lifecycle.FileNone && !disk.Has(take.Want.Hash):
		f.State, f.Why = Cannot, notKept
	case take.Others != "":
		f.State, f.Why = Left, take.Others
	case !f.Now.Same(take.Expect):
		f.State, f.Why = Left, changedSince
	default:
		f.State = Back
	}
	return f
}

// Of are the files in a state.
func (p Plan) Of(state State) (all []File) {
	for _, f := range p.Files {
		if f.State == state {
			all = append(all, f)
		}
	}
	return all
}

// With is the plan with these files chosen, although somebody else has changed them.
func (p Plan) With(chosen []string) (Plan, error) {
	p.Files = slices.Clone(p.Files)
	for _, path := range chosen {
		i := slices.IndexFunc(p.Files, func(f File) bool { return f.Path == path })
		switch {
		case i < 0:
			return p, fmt.Errorf("no file %q would be taken back%s", path, words.DidYouMean(path, p.paths()))
		case p.Files[i].State == Cannot:
			return p, fmt.Errorf("%s cannot be put back: %s", path, p.Files[i].Why)
		case p.Files[i].State == Left:
			p.Files[i].State, p.Files[i].Why = Back, ""
		}
	}
	return p, nil
}

func (p Plan) paths() (paths []string) {
	for _, f := range p.Files {
		paths = append(paths, f.Path)
	}
	return paths
}

// Changes are what putting the files back does.
func (p Plan) Changes() (all []lifecycle.FileChange) {
	for _, f := range p.Of(Back) {
		all = append(all, lifecycle.FileChange{Path: f.Path, Before: f.Now, After: f.Want})
	}
	return all
}

// Skipped are the files that stay as they are, and why.
func (p Plan) Skipped() (all []lifecycle.SkippedFile) {
	for _, f := range p.Files {
		if f.State == Left || f.State == Cannot {
			all = append(all, lifecycle.SkippedFile{Path: f.Path, Why: f.Why})
		}
	}
	return all
}

// Says is the plan in one line, for people.
func (p Plan) Says() string {
	var parts []string
	for _, one := range []struct {
		state State
		says  string
	}{{Back, "to put back"}, {Already, "so already"}, {Left, "left as changed by others"}, {Cannot, "that cannot be put back"}} {
		if n := len(p.Of(one.state)); n > 0 {
			parts = append(parts, words.Count(n, "file")+" "+one.says)
		}
	}
	if len(parts) == 0 {
		return "no files to put back"
	}
	return strings.Join(parts, ", ")
}
