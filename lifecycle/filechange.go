package lifecycle

import (
	"fmt"
	"strings"

	"pawl/internal/words"
)

// FileKind says what stands at a path.
type FileKind string

// The kinds of what can stand at a path and be put back. Empty: nothing stands there.
const (
	FileNone    FileKind = ""
	FileRegular FileKind = "file"
	FileLink    FileKind = "link" // a symbolic link: what it holds is where it leads
)

// FileState is a file at one moment.
type FileState struct {
	Kind FileKind `json:"kind,omitempty"`
	// Hash is the SHA-256 of what it holds, in hexadecimal; empty where there is no file, or where
	// that was not read.
	Hash string `json:"hash,omitempty"`
	Size int64  `json:"size,omitempty"` // bytes
	Mode uint32 `json:"mode,omitempty"` // permission bits of a regular file, as of Unix
}

// Same reports that a file could not be told from the other one: both are absent, or hold the same.
// What was not read is like nothing else.
func (s FileState) Same(as FileState) bool {
	if s.Kind != as.Kind || s.Kind != FileNone && (s.Hash == "" || s.Hash != as.Hash) {
		return false
	}
	return s.Kind != FileRegular || s.Mode == as.Mode
}

// FileChange is one file, before and after it was changed. A renamed file is two of them.
type FileChange struct {
	Path   string    `json:"path"` // relative to the folder of its event, with slashes, no links in it
	Before FileState `json:"before"`
	After  FileState `json:"after"`
	// Uncovered says in a few words why it cannot be put back: what it held before is not kept,
	// because nobody knew it or it is too large. Empty: it can be.
	Uncovered string `json:"uncovered,omitempty"`
}

// Nameless is the Uncovered of a file whose name is not UTF-8: its Path is how that is shown, quoted, and
// names no file.
const Nameless = "its name is not UTF-8"

// ChangeSource says by what files were changed.
type ChangeSource string

// The sources of changes that a worker records.
const (
	ChangedByTool    ChangeSource = "tool"    // write, edit: what is said is all
	ChangedByCommand ChangeSource = "command" // a command line: found by comparing the folder before and after
)

// What was changed in files. These may come at any time after a run began, also after its end: a
// command is compared when it is over, people land and rewind what has ended.
type (
	// FilesChanged says what a call, or a shell's command, has changed.
	FilesChanged struct {
		Call   CallID       `json:"call,omitempty"` // empty for a shell in the background
		By     ChangeSource `json:"by"`
		Folder string       `json:"folder"` // absolute, without links
		Files  []FileChange `json:"files,omitempty"`
		// Unwatched says why it is not known, or not all of it, what the command changed.
		Unwatched string `json:"unwatched,omitempty"`
		// Beside are other runs whose commands were at work in the folder at the same time: some
		// of it may be theirs.
		Beside []RunID `json:"beside,omitempty"`
	}

	// Landed says that a person brought what this run's subagent changed in its worktree into the
	// folder. It stands on the newest run of the subagent.
	Landed struct {
		Operation OperationID  `json:"operation"`
		Folder    string       `json:"folder"` // that it was brought into: absolute, without links
		Worktree  string       `json:"worktree"`
		Branch    string       `json:"branch,omitempty"`
		Files     []FileChange `json:"files"`
		Left      []string     `json:"left,omitempty"`    // files of the worktree that were not, or not wholly, landed
		Commit    string       `json:"commit,omitempty"`  // the commit that was made of it, if one was asked for
		Removed   bool         `json:"removed,omitempty"` // everything was landed, so the worktree was removed
		Tell      string       `json:"tell,omitempty"`    // what the model of the parent, which was at work, is told at its next step
	}

	// Rewound says that a person took files, the conversation or both back to what they were before
	// a record. It stands on the newest run of the root or, for the files of one subagent, of that.
	Rewound struct {
		Operation    OperationID   `json:"operation"`
		To           Seq           `json:"to"`     // the record before which things are as now: a prompt, a landing, a rewind
		Prompt       string        `json:"prompt"` // the first line of that prompt
		Conversation bool          `json:"conversation,omitempty"`
		Only         SessionID     `json:"only,omitempty"` // the subagent whose files alone were taken back
		Folder       string        `json:"folder,omitempty"`
		Files        []FileChange  `json:"files,omitempty"` // what the rewind did
		Skipped      []SkippedFile `json:"skipped,omitempty"`
		Tell         string        `json:"tell,omitempty"` // with Only, as of Landed
	}

	// SkippedFile is a file that a rewind has left as it is.
	SkippedFile struct {
		Path string `json:"path"`
		Why  string `json:"why"`
	}
)

func (FilesChanged) event() {}
func (Landed) event()       {}
func (Rewound) event()      {}

// Rewind is the body of the transcript entry that takes a conversation back: for the model, the
// first Keep entries of the transcript and then Text are all that was said. The entries between
// stay where they are, for people and for a rewind of the rewind.
type Rewind struct {
	Keep int    `json:"keep"`
	Text string `json:"text"` // what Pawl tells the model; empty: nothing
}

// RecordFound records what a run has changed in files and could not record itself, because its
// process was killed before. The run may have ended. It returns when that is on disk, and is safe
// from any goroutine.
func (s *Supervisor) RecordFound(root SessionID, id RunID, changed FilesChanged) error {
	s.mu.Lock()
	c, err := s.recordFound(root, id, changed)
	s.mu.Unlock()
	return saved(c, err)
}

func (s *Supervisor) recordFound(root SessionID, id RunID, changed FilesChanged) (*change, error) {
	t, err := s.tree(root)
	if err != nil {
		return nil, err
	}
	run := t.get(id)
	if run.ID == "" {
		return nil, fmt.Errorf("run %s: %w", id, ErrUnknown)
	}
	d := s.begin(t)
	if err := d.apply(run.Session, id, changed); err != nil {
		return nil, err
	}
	return d.commit(), nil
}

// What front ends and exports say of changes in one line. Names of files are not in it.

// Words says how many files a call has changed, and what is not known of it.
func (e FilesChanged) Words() string {
	by := ""
	if e.By == ChangedByCommand {
		by = " by a command"
	}
	said := words.Count(len(e.Files), "file") + " changed" + by
	if open := uncovered(e.Files); open > 0 {
		said += fmt.Sprintf(", %d of them not covered", open)
	}
	switch {
	case e.Unwatched != "" && len(e.Files) == 0:
		return "it is not known what the command changed: " + e.Unwatched
	case e.Unwatched != "":
		return said + ", and perhaps more: " + e.Unwatched
	}
	return said
}

func uncovered(files []FileChange) (n int) {
	for _, file := range files {
		if file.Uncovered != "" {
			n++
		}
	}
	return n
}

// Words says what was landed of a subagent, which is described by a few words of its own.
func (e Landed) Words(of string) string {
	said := "landed " + words.Count(len(e.Files), "file")
	if of != "" {
		said += " of " + of
	}
	if len(e.Left) > 0 {
		said += fmt.Sprintf(", %d left", len(e.Left))
	}
	if e.Commit != "" {
		said += ", as commit " + words.First(e.Commit, 10)
	}
	return said
}

// Words says what was taken back, and to where.
func (e Rewound) Words() string {
	var back []string
	if e.Conversation {
		back = append(back, "the conversation")
	}
	if len(e.Files) > 0 || !e.Conversation {
		back = append(back, words.Count(len(e.Files), "file"))
	}
	to := fmt.Sprintf("record %d", e.To)
	if e.Prompt != "" {
		to = `"` + e.Prompt + `"` // not quoted as in Go: people wrote it
	}
	said := "rewound to before " + to + ": " + strings.Join(back, " and ")
	if len(e.Skipped) > 0 {
		said += fmt.Sprintf(", %d left", len(e.Skipped))
	}
	return said
}
