package app

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/tools"
	"pawl/tools/workspace"
)

// attach implements lifecycle.Options.Attach: the command that a person's message begins with, and
// the files that it names, go to the model with it. They are read here even for a run in another
// process, under the same rules as that run's tools.
func (h *Session) attach(ctx context.Context, run lifecycle.Run, text string, reach []string) lifecycle.Attached {
	var all lifecycle.Attached
	named := text
	if more := h.expand(ctx, run, text, &all); more != "" {
		named += "\n" + more
	}
	if len(agent.Mentions(named)) == 0 {
		return all
	}
	w := h.Workspace
	if run.Subagent() && !notHereYet(run) {
		own, err := h.folderOf(run)
		if err != nil {
			slog.Error("read what a message names", "folder", run.Folder, "error", err)
			return all // the run will not start there either, and says why
		}
		defer closeWorkspace(own)
		w = own
	}
	sees := h.Models.Info(cmp.Or(all.Model, run.Model)).Images != agent.Unable
	all.Enclosures = append(all.Enclosures, tools.Attach(ctx, w, named, reach, sees, h.resources)...)
	return all
}

// notHereYet reports whether a run's worktree is on another machine, and nothing of it at home. What a
// message names is then read from the session's folder, which its checkout came from.
func notHereYet(run lifecycle.Run) bool {
	if !run.Remote() {
		return false
	}
	_, err := os.Stat(run.Folder)
	return errors.Is(err, fs.ErrNotExist)
}

// KeepPicture keeps a picture that the user has pasted, and returns its path. It is safe from any goroutine.
func (h *Session) KeepPicture(data []byte, ending string) (string, error) {
	return h.outputs.KeepPicture(data, ending)
}

// folderOf opens the folder of a subagent's run. The caller must close it.
func (h *Session) folderOf(run lifecycle.Run) (*workspace.Workspace, error) {
	w, err := workspace.Open(run.Folder)
	if err != nil {
		return nil, err
	}
	w.Outputs, w.Readable, w.Also = h.outputs, readable(h.Settings.Permissions, run.Folder), h.skillFolders
	return w, nil
}
