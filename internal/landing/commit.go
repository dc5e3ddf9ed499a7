package landing

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"pawl/internal/regular"
	"pawl/lifecycle"
	"pawl/tools/apply"
	"pawl/tools/git"
)

// commit is a commit of what is landed. While the landing is under way it is noted in the journal, so
// that whatever a crash leaves can be ended: it is on the branch and in the index if the log has the
// landing, else in neither.
type commit struct {
	Operation lifecycle.OperationID `json:"operation"`
	Folder    string                `json:"folder"`
	Aside     git.Aside             `json:"commit"`
}

// makeCommit makes the commit aside. The error says why there can be none.
func (p *Plan) makeCommit(ctx context.Context, operation lifecycle.OperationID, message string) (*commit, error) {
	paths := p.paths()
	if err := p.repository.CheckCommit(ctx, p.scratch, paths); err != nil {
		return nil, err
	}
	folder, err := p.laidOut()
	if err != nil {
		return nil, err
	}
	message = cmp.Or(message, fmt.Sprintf("Land what the subagent %q changed", p.note.Description))
	aside, err := p.repository.CommitAside(ctx, p.scratch, folder, paths, message)
	return &commit{operation, p.Folder, aside}, err
}

const (
	commitNote  = "commit.json"
	longestNote = 64 << 20 // bytes
)

func (c *commit) note(journal string) error {
	text, err := json.Marshal(c)
	if err == nil {
		err = os.MkdirAll(journal, 0o700)
	}
	if err == nil {
		err = regular.Replace(filepath.Join(journal, commitNote), text)
	}
	if err != nil {
		return fmt.Errorf("note the commit of what is landed: %w", err)
	}
	return nil
}

// dropCommit removes the note of a commit, if there is one.
func dropCommit(journal string) error {
	if err := os.Remove(filepath.Join(journal, commitNote)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func readNote(journal string) (c commit, found bool, err error) {
	text, err := regular.Read(filepath.Join(journal, commitNote), longestNote)
	if errors.Is(err, fs.ErrNotExist) {
		return c, false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		return c, true, fmt.Errorf("read the note of a commit in %s: %w", journal, err)
	}
	return c, true, nil
}

// Pending reports whether a journal has a landing that is under way or cut off, or a rewind, and in which
// folder.
func Pending(journal string) (folder string, pending bool) {
	if folder, _, pending = apply.Pending(journal); pending {
		return folder, true
	}
	c, found, _ := readNote(journal) // whoever ends it says what is wrong
	return c.Folder, found
}

// RecoverCommit ends what a process that died has left of a commit: recorded says whether the log has
// a landing. Call it before apply.Recover. repository is only asked for where there is something to
// end; below is a folder for what is worked out aside.
func RecoverCommit(ctx context.Context, journal, below string, repository func() (git.Repository, error), recorded func(lifecycle.OperationID) (bool, error)) error {
	c, found, err := readNote(journal)
	if err != nil || !found {
		return err
	}
	r, err := repository()
	if err != nil {
		return err
	}
	has, err := recorded(c.Operation)
	if err != nil {
		return err
	}
	if !has {
		err = c.Aside.Withdraw(ctx, r)
	} else {
		err = c.end(ctx, r, below)
	}
	if errors.Is(err, git.ErrIndexLocked) {
		return err // the note stays, for the next time
	}
	return errors.Join(err, dropCommit(journal))
}

// end brings the index along, where the branch still has the commit: else somebody has gone on since.
func (c *commit) end(ctx context.Context, r git.Repository, below string) error {
	published, err := c.Aside.Published(ctx, r)
	if err != nil || !published {
		return err
	}
	scratch, err := r.NewScratch(ctx, below)
	if err != nil {
		return err
	}
	defer scratch.Remove()
	return c.Aside.BringIndex(ctx, r, scratch)
}
