package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"pawl/internal/base"
	"pawl/internal/landing"
	"pawl/internal/project"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/tools/apply"
	"pawl/tools/filestore"
	"pawl/tools/git"
	"pawl/tools/process"
)

// A landing or a rewind whose process was killed is ended by whoever comes next: the guard of that
// process, which starts "pawl recover", or else the next session that is opened in the folder. It is
// then in the log, and the folder as after it, or in neither.

// cutOff is a session of which a landing or rewind may have been cut off. Whoever ends it holds the
// session's lock.
type cutOff struct {
	*base.Base
	root       lifecycle.SessionID
	files      *filestore.Store
	repository func() (git.Repository, error)
}

// end says in a line what there was to do; empty: nothing. A landing's commit comes first.
func (c cutOff) end(ctx context.Context) string {
	journal := base.JournalOf(c.Base, c.root)
	recorded := func(operation lifecycle.OperationID) (bool, error) {
		return hasOperation(ctx, c.Base, c.root, operation)
	}
	scratch := filepath.Join(c.Folders.Worktrees(), string(c.root))
	err := landing.RecoverCommit(ctx, journal, scratch, c.repository, recorded)
	undone, wrong := apply.Recover(ctx, journal, c.files, recorded)
	if left := (*apply.LeftError)(nil); err == nil && errors.As(wrong, &left) {
		return "a landing or rewind was cut off, and is undone; " + wrong.Error()
	}
	if err = errors.Join(err, wrong); err != nil {
		slog.Error("end a landing or rewind that was cut off", "session", c.root, "error", err)
		return "a landing or rewind was cut off: " + words.FirstLine(err.Error())
	}
	if undone {
		return "a landing or rewind was interrupted and has been undone: the files are as they were before it"
	}
	return ""
}

// hasOperation reports whether the log of a root session has a landing or a rewind.
func hasOperation(ctx context.Context, b *base.Base, root lifecycle.SessionID, operation lifecycle.OperationID) (bool, error) {
	records, err := b.Store.ChangeRecords(ctx, root)
	for _, rec := range records {
		switch e := rec.Event.(type) {
		case lifecycle.Landed:
			if e.Operation == operation {
				return true, err
			}
		case lifecycle.Rewound:
			if e.Operation == operation {
				return true, err
			}
		default: // the others put no files in place
		}
	}
	return false, err
}

// recoverFolder ends what was cut off in the session's folder, by this session or another. It comes
// before anything else reads or changes the folder.
func (h *Session) recoverFolder(ctx context.Context) string {
	own := cutOff{h.Base, h.Root, h.Files, func() (git.Repository, error) { return h.Project.Repository(h.launcher("")) }}
	var said []string
	if text := own.end(ctx); text != "" {
		said = append(said, text)
	}
	if err := h.trees.EndLeaving(ctx); err != nil {
		slog.Error("end what a landing had begun with a worktree", "session", h.Root, "error", err)
	}
	folder := h.Workspace.Folder()
	for _, root := range pendingIn(h.Base, func(in string) bool { return overlap(in, folder) }) {
		if root == h.Root {
			continue
		}
		if text := recoverOther(ctx, h.Base, root); text != "" {
			said = append(said, fmt.Sprintf("session %s: %s", root, text))
		}
	}
	return strings.Join(said, "; ")
}

// overlap reports that one folder is the other, or in it.
func overlap(a, b string) bool {
	within := func(a, b string) bool {
		rel, err := filepath.Rel(b, a)
		return err == nil && filepath.IsLocal(rel)
	}
	return within(a, b) || within(b, a)
}

// pendingIn lists the sessions that have something cut off, or under way, in a folder that fits.
func pendingIn(b *base.Base, fits func(folder string) bool) (roots []lifecycle.SessionID) {
	entries, err := os.ReadDir(b.Folders.Files())
	if err != nil {
		return nil // nothing is kept yet, or whoever needs it will say so
	}
	for _, entry := range entries {
		root := lifecycle.SessionID(entry.Name())
		if folder, pending := landing.Pending(base.JournalOf(b, root)); pending && fits(folder) {
			roots = append(roots, root)
		}
	}
	return roots
}

// recoverOther is end for a session that no process drives. One that is driven ends it itself.
func recoverOther(ctx context.Context, b *base.Base, root lifecycle.SessionID) string {
	release, err := b.Store.Lock(root)
	if errors.Is(err, store.ErrLocked) {
		return ""
	}
	if err != nil {
		return "a landing or rewind was cut off: " + words.FirstLine(err.Error())
	}
	defer release()
	files := filestore.New(base.FilesOf(b, root))
	defer closeFiles(files)
	repository := func() (git.Repository, error) {
		found, err := b.Store.Session(ctx, string(root))
		if err != nil {
			return git.Repository{}, err
		}
		there := *b
		there.World.Folder = found.Folder
		asked, err := project.Read(ctx, &there, false)
		if err != nil {
			return git.Repository{}, err
		}
		return asked.Repository(&process.Launcher{Withheld: b.Models.Withheld()})
	}
	return cutOff{b, root, files, repository}.end(ctx)
}

// EndCutOff ends what was cut off of a session that is about to be deleted, with which the journal goes
// and what the files held before. It says in a line what there was to do; empty: nothing. The error says
// that it could not be ended: then nothing may be deleted, unless a process has the session open, which
// whoever deletes it finds.
func EndCutOff(ctx context.Context, b *base.Base, root lifecycle.SessionID) (said string, err error) {
	journal := base.JournalOf(b, root)
	if _, pending := landing.Pending(journal); !pending {
		return "", nil
	}
	said = recoverOther(ctx, b, root)
	folder, pending := landing.Pending(journal)
	if !pending || said == "" {
		return said, nil
	}
	return "", fmt.Errorf("session %s is not deleted, as only what it keeps can undo that in %s: %s; mend what is wrong or, if nothing is to be undone, remove %s, and delete the session then",
		root, words.Path(cmp.Or(folder, "its folder")), said, words.Path(journal))
}

// Recover ends everything that was cut off, in all folders, and says what there was to do, a line for
// each session. It opens the database only if there is something.
func Recover(ctx context.Context, w base.World) (lines []string, err error) {
	b, err := base.New(w)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	all := pendingIn(b, func(string) bool { return true })
	if len(all) == 0 {
		return nil, nil
	}
	if b.Store, err = store.Open(ctx, b.Folders.Database(), store.Options{}); err != nil {
		return nil, err
	}
	for _, root := range all {
		if said := recoverOther(ctx, b, root); said != "" {
			lines = append(lines, fmt.Sprintf("session %s: %s", root, said))
		}
	}
	return lines, nil
}
