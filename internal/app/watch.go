package app

import (
	"context"
	"os"

	"pawl/agent"
	"pawl/agent/remote"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/tools"
	"pawl/tools/filestore"
	"pawl/tools/folderwatch"
	"pawl/tools/git"
)

// watchFolders makes the watches of the session's folders. Nothing is looked at before the first run.
func (h *Session) watchFolders() {
	h.watches = folderwatch.NewSet(folderwatch.Options{
		Store: h.Files, Readable: h.Settings.Permissions.Reading, Own: ownFolders(), NetworkFileSystem: store.NetworkFileSystem,
		Repository: func() (git.Repository, error) {
			return h.Project.Repository(h.launcher(""))
		},
	})
}

// watched is the watch of the session's own folder, which goes on until the session is closed.
func (h *Session) watched() *folderwatch.Watch {
	h.watching.Do(func() { h.watch, _ = h.watches.Use(h.World.Folder) })
	return h.watch
}

// byPerson changes files of a folder by a person's wish, all or none: the watch of the folder learns that
// no command did it, not even one that is at work.
func (h *Session) byPerson(folder string, files []lifecycle.FileChange, change func() error) error {
	watch := h.watched()
	if watch.Folder() != folder {
		return change()
	}
	for _, f := range files {
		defer watch.Writing(f.Path)("")
	}
	err := change()
	if err == nil {
		watch.Known(lifecycle.FilesChanged{Folder: folder, Files: files})
	}
	return err
}

// watchesOf are the watches of a run that works in another process than its session.
func (r rules) watchesOf(run lifecycle.Run, files *filestore.Store) *folderwatch.Set {
	o := folderwatch.Options{Store: files, Readable: r.Permissions.Reading, Own: ownFolders(), NetworkFileSystem: store.NetworkFileSystem}
	if !r.Untrusted {
		o.Repository = func() (git.Repository, error) {
			return git.Repository{Checkout: git.Look(run.Folder), Folder: run.Folder, Launcher: r.launcher(run)}, nil
		}
	}
	return folderwatch.NewSet(o)
}

// watchCommands has a run's commands watched, but for those that only read.
func (r rules) watchCommands(w *folderwatch.Watch) tools.WatchCommand {
	return func(ctx context.Context, call agent.Invocation, line string) func(context.Context) *lifecycle.FilesChanged {
		if r.reads(agent.Effect{Kind: agent.EffectShell, Subject: line}) {
			return nil
		}
		return w.Begin(ctx, call.Run, call.Call).End
	}
}

// workShell runs a command in the background, and records what it has changed.
func workShell(ctx context.Context, port remote.CommandPort, shells *tools.Shells, watches *folderwatch.Set, r rules) lifecycle.Outcome {
	run := port.Run()
	w, done := watches.Use(run.Folder)
	defer done()
	command := w.Begin(ctx, run.ID, "")
	out := shells.Work(ctx, port, r.commands(run))
	if changed := command.End(ctx); changed != nil {
		if err := port.Record(nil, *changed); err != nil && out.Err == nil {
			out.Err = err
		}
	}
	return out
}

// userShell runs a command of the user's own. What it changes in files counts as what the user changes in
// an editor: no run has done it, and no rewind takes it back.
func (h *Session) userShell(ctx context.Context, port *lifecycle.Port, r rules) lifecycle.Outcome {
	run := port.Run()
	if _, err := os.Stat(run.Folder); err != nil { // a failed start would name the shell, not the folder
		return lifecycle.Outcome{Err: &lifecycle.Failure{Kind: lifecycle.FailSetup, Message: "its folder cannot be used: " + err.Error()}}
	}
	h.watched()
	w, done := h.watches.Use(run.Folder)
	defer done()
	defer w.Refresh()
	defer w.Beside(run.ID)()
	return h.shells.Work(ctx, port, r.userCommands(run))
}

// besidePort is the port of a run that works in another process: what that records of changed files
// is taken into the watch here, so that no command of this process is taken for their writer.
type besidePort struct {
	*lifecycle.Port
	watch *folderwatch.Watch
}

// Answered implements agent.Port.
func (p besidePort) Answered(entry lifecycle.Entry, end lifecycle.ToolEnded, changed *lifecycle.FilesChanged, told []lifecycle.Told) error {
	if changed != nil {
		p.watch.Known(*changed)
	}
	return p.Port.Answered(entry, end, changed, told)
}
