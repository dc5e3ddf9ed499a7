package changes

import (
	"pawl/lifecycle"
)

// Grouping is how files are put together.
type Grouping int

// The groupings, in the order in which a key walks them.
const (
	ByPrompt Grouping = iota
	ByRun
	ByFile
	groupings
)

// Listing is what there is to show: plain values, none of which was cleaned. A grouping without
// groups is not offered.
type Listing struct {
	Groups [groupings][]Group
	// Unwatched says, of each command of which it is not known what it changed, which and why.
	Unwatched []string
	// Landable says that the files and hunks can be chosen, to be landed.
	Landable bool
	// Unlandable says why what stands in a worktree cannot be landed now; empty: it can, or there is
	// none.
	Unlandable string
	// Words say what stands here if it is not what a session changed, as in "worktree of audit".
	Words string
}

// Group is the files of one prompt, run or folder.
type Group struct {
	Title string
	Files []File
}

// File is what was made of one path, by what its group is of.
type File struct {
	Which
	Added, Removed int      // lines, where Counted
	Counted        bool     // they are known before the diff is
	Writers        []Writer // who changed it, in the order of their first changes
	Uncovered      string   // why what it held before cannot be shown and put back; empty: it can
	Since          bool     // something that is not recorded has changed it too
	TakenBack      bool     // a later rewind has put it back
	Landed         bool     // it came, or went, by a landing

	// Of what can be landed:
	Hunks    int      // that can be chosen one by one
	Conflict string   // why git cannot merge all of it; empty: it can
	Places   []string // where it cannot, a line each
	Left     string   // why it is not landed, whatever is chosen; empty: it can be
	There    bool     // the folder has it already
}

// Which names one diff, and is all that is needed to find it. Two that are equal have the same.
type Which struct {
	Folder, Path  string
	Before, After lifecycle.FileState
	// What the changes are filtered by, where not all of them count.
	Session          lifecycle.SessionID
	Run              lifecycle.RunID
	From, BeforeNext lifecycle.Seq
}

// Writer is a run that changed a file.
type Writer struct {
	Session lifecycle.SessionID // that takes messages: a command's is its agent's
	Run     lifecycle.RunID
	Name    string
}

// Diff is the difference of one file.
type Diff struct {
	Text           string // unified; empty where Why is set
	Added, Removed int
	Why            string // there are no lines to show; empty if there are
	// NewBy says, of each line of the new file, which of the file's writers wrote it, -1 for
	// none; OldBy, of each of the old one, who removed it. Both are nil where one writer wrote all.
	NewBy, OldBy []int
}

// writer is who wrote a line of a file, or removed it: nobody in particular is the last who
// changed the file.
func (f File) writer(d *Diff, old bool, line int) (w Writer, known bool) {
	if len(f.Writers) == 0 {
		return w, false
	}
	by, at := d.NewBy, len(f.Writers)-1
	if old {
		by = d.OldBy
	}
	if line > 0 && line <= len(by) && by[line-1] >= 0 && by[line-1] < len(f.Writers) {
		at = by[line-1]
	}
	return f.Writers[at], true
}
