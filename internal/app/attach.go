package app

import (
	"context"
	"log/slog"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/tools"
	"pawl/tools/workspace"
)

// attach implements lifecycle.Options.Attach: the files that a person's message names go to the
// model with it. They are read here even for a run in another process, under the same rules as
// that run's tools.
func (h *Session) attach(ctx context.Context, run lifecycle.Run, text string, reach []string) []lifecycle.Enclosure {
	if len(agent.Mentions(text)) == 0 {
		return nil
	}
	w := h.Workspace
	if run.Subagent() {
		own, err := h.folderOf(run)
		if err != nil {
			slog.Error("read what a message names", "folder", run.Folder, "error", err)
			return nil // the run will not start there either, and says why
		}
		defer closeWorkspace(own)
		w = own
	}
	return tools.Attach(ctx, w, text, reach, h.Models.Info(run.Model).Images != agent.Unable)
}

// folderOf opens the folder of a subagent's run. The caller must close it.
func (h *Session) folderOf(run lifecycle.Run) (*workspace.Workspace, error) {
	w, err := workspace.Open(run.Folder)
	if err != nil {
		return nil, err
	}
	w.Outputs, w.Readable = h.outputs, h.Settings.Permissions.Reading
	return w, nil
}
