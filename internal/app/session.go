package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"pawl/agent"
	"pawl/agent/commands"
	"pawl/agent/permission"
	"pawl/agent/permission/grants"
	"pawl/agent/settings"
	"pawl/agent/types"
	"pawl/internal/base"
	"pawl/internal/failpoint"
	"pawl/internal/models"
	"pawl/internal/project"
	"pawl/internal/remoterun"
	"pawl/internal/stored"
	"pawl/internal/system"
	"pawl/internal/trust"
	"pawl/internal/worktree"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/tools"
	"pawl/tools/filestore"
	"pawl/tools/folderwatch"
	"pawl/tools/mcp"
	"pawl/tools/outputs"
	"pawl/tools/workspace"
	"pawl/ui/acp"
)

// closeLimit is how long Pawl waits at the end for what it stopped: the 2 s that a stop may take,
// and a second to record it.
const closeLimit = 3 * time.Second

// Session is one root session with everything that drives it.
type Session struct {
	*base.Base
	onScreen     bool // otherwise people are told on standard error
	inEditor     bool // an editor shows the session
	Supervisor   *lifecycle.Supervisor
	Opening      *opening
	Snapshot     lifecycle.Snapshot // as it was opened; only the end while Opening is in progress
	Root         lifecycle.SessionID
	Choices      choices
	surroundings agent.Surroundings   // of World.Folder, without instructions
	Types        types.Found          // types of subagents, the folder's included
	Workspace    *workspace.Workspace // the parent's: it remembers which files were read, over all runs
	shells       tools.Shells         // of the parent and of subagents in this process
	gate         agent.Gate           // of all model requests, those of other processes included
	outputs      *outputs.Store       // kept outputs of the whole session
	Files        *filestore.Store     // what changed files held, of the whole session
	Changed      *Changes             // what was changed in files, for people
	watches      *folderwatch.Set     // of the folders in which runs work
	watching     sync.Once
	watch        *folderwatch.Watch // of World.Folder, see watched
	sweeping     sync.WaitGroup
	trees        *worktree.Trees
	remotes      *remoterun.Runs
	away         away
	desk         desk
	placing      sync.Mutex // held while files are landed or taken back
	CutOff       string     // what a landing or rewind that was cut off has left; empty: there was none
	Exporting    sync.Mutex // held while an export is written
	Servers      *mcp.Servers
	Allowed      *trust.Allowed          // permanent rules of this folder
	Options      Options                 // how it was opened
	Project      project.Project         // what the folder's files ask for
	untrusted    bool                    // something of that is not trusted
	changes      *project.CommandChanges // what commands leave of files that need trust
	refused      refusedLines
	greeted      atomic.Bool // the hooks of the session's start have run
	notifier     notifier    // runs the Notification hooks
	telemetry    telemetry
	release      func()
	elsewhere    []commands.Elsewhere
}

// Options say which session to open, and for whom.
type Options struct {
	Session     string // its id, or the beginning or end of it; empty: a new one
	Continue    bool   // the last session of the folder
	Model, Mode string // empty: the setting
	Effort      string // empty: the session's, else the setting; NoEffort: the model decides
	Trust       bool   // trust the folder in this call
	First       string // the first message

	Print       bool // one prompt, without a screen
	Unseen      bool // nobody looks on when it begins: the demo plays only if it was named
	Attended    bool // somebody can answer questions
	Editor      bool // an editor takes the place of the screen
	Whole       bool // load the whole session before the first frame
	AutoResumes int  // 0: the setting
	Idle        bool // no run will begin: nothing is started for one
}

// Open opens a session and starts everything that drives it. The caller must Close it.
func Open(ctx context.Context, w base.World, o Options) (*Session, error) {
	if !filepath.IsAbs(w.Folder) {
		return nil, errors.New("the current folder is gone or cannot be read: change to another and start Pawl there")
	}
	h := &Session{onScreen: o.Attended && !o.Print, inEditor: o.Editor, surroundings: project.Surroundings(w.Folder)}
	h.telemetry.since = time.Now()
	var err error
	begun, known := project.Begin(w.Folder, settings.FindFolders())
	h.Base, err = base.OpenBeside(ctx, w, store.Options{Waiting: h.waiting}, func(b *base.Base) { known(b.Models) })
	if err != nil {
		known(nil)
		return nil, err
	}
	h.Options, h.changes = o, project.NewCommandChanges(h.Base)
	if err := h.applyTrust(ctx, begun, o.Trust); err != nil {
		h.Base.Close()
		return nil, err
	}
	if err := h.open(ctx, o); err != nil {
		h.Base.Close()
		return nil, err
	}
	return h, nil
}

// waiting tells people that another process keeps the database busy: on the screen, or without
// one on standard error. The supervisor's writer calls it.
func (h *Session) waiting(waited time.Duration) {
	why := fmt.Sprintf("waiting for %s: another process keeps the database busy (%s)", waited.Round(time.Second), h.Store.Path())
	if h.onScreen && h.Supervisor != nil { // before there is one, nobody watches
		h.Supervisor.ReportBlocked(why)
	} else {
		h.World.Tell("not saved: %s", why)
	}
}

func (h *Session) open(ctx context.Context, o Options) error {
	if err := h.choose(ctx, o); err != nil {
		return err
	}
	var err error
	if h.Workspace, err = workspace.Open(h.World.Folder); err != nil {
		return err
	}
	h.takeKept()
	h.outputs = outputs.New(base.OutputsOf(h.Base, h.Root))
	h.Files = filestore.New(base.FilesOf(h.Base, h.Root))
	h.Changed = NewChanges(h.Root, h.World.Folder, h.Store.ChangeRecords, h.Files)
	h.Workspace.Outputs, h.Workspace.Files, h.shells.Outputs = h.outputs, h.Files, h.outputs
	h.Workspace.Readable, h.Workspace.Own, h.Workspace.Also = readable(h.Settings.Permissions, h.World.Folder), ownFolders(), h.skillFolders
	h.watchFolders()
	h.Workspace.Changing = func(path string) func(string) { return h.watched().Writing(path) }
	h.Allowed = trust.NewAllowed(h.Folders, h.World.Folder)
	release, err := h.Store.Lock(h.Root)
	if err != nil {
		h.closeResources()
		return h.explainLocked(err)
	}
	h.startServers() // before the supervisor, which may start a run
	h.trees = h.worktrees()
	h.remotes = h.remoteRuns()
	if h.CutOff = h.recoverFolder(ctx); h.CutOff != "" && !h.onScreen {
		h.World.Tell("%s", h.CutOff)
	}
	limits := h.Settings.Slots()
	if o.AutoResumes != 0 {
		limits.AutoResumes = o.AutoResumes
	}
	loop := agent.Loop{Resolve: h.Models.Resolve, Entries: h.Store.Entries, Info: h.Models.Info, Kit: h.kit, Gate: &h.gate, Fallback: h.Settings.Fallback}
	h.Supervisor = lifecycle.New(lifecycle.Options{
		Journal: &journal{Store: h.Store, note: h.noteOpening}, Work: h.worker(loop), Limits: limits, Attended: o.Attended,
		AskInBackground: h.Settings.Subagents.BackgroundPermissions == "ask",
		Attach:          h.attach,
		Permissions:     grants.Policy{Bounds: h.bounds, Add: h.Allowed.Add},
	})
	seed := lifecycle.Spec{Type: agent.TypeGeneral, Model: h.Choices.Model(), Effort: h.Choices.Effort(), Folder: h.World.Folder}
	h.Opening = h.begin(ctx, seed)
	if o.Attended && !o.Whole && (o.Continue || o.Session != "") { // the screen comes first
		h.Snapshot, err = h.underWay(ctx)
	} else {
		h.Snapshot, err = h.Opening.Wait(context.WithoutCancel(ctx))
	}
	if err != nil {
		h.endRuns(lifecycle.CauseProcessEnd)
		h.remotes.Close()
		release()
		h.closeResources()
		return err
	}
	h.release = release
	h.sweeping.Go(func() { h.sweep(ctx) })
	h.sweeping.Go(h.Project.ReadAhead)
	h.trees.Start(ctx)
	h.startNotifier()
	h.startTelemetry()
	return nil
}

// explainLocked adds to the error of a session that another process drives what the user can do.
func (h *Session) explainLocked(err error) error {
	if !errors.Is(err, store.ErrLocked) {
		return err
	}
	return &DrivenError{Root: h.Root, error: &store.Fault{
		Kind: store.ErrLocked, Cause: err, Text: fmt.Sprintf("%v or pawl export %s, on the screen with pawl import %s, or begin another with pawl", err, h.Root, h.Root),
	}}
}

// DrivenError says that another process drives a session.
type DrivenError struct {
	Root lifecycle.SessionID
	error
}

// Unwrap returns the store's error, which wraps store.ErrLocked.
func (e *DrivenError) Unwrap() error { return e.error }

// worker picks the worker of a run: a shell command, the loop in this process, or a process of
// its own. Tests can make a run die here.
func (h *Session) worker(loop agent.Loop) lifecycle.Worker {
	return func(ctx context.Context, port *lifecycle.Port) lifecycle.Outcome {
		failpoint.Reach("worker")
		run := port.Run()
		rules, err := h.rules(run)
		switch {
		case err != nil:
			return h.remotes.Unheard(ctx, port, lifecycle.Outcome{Err: &lifecycle.Failure{Kind: lifecycle.FailSetup, Message: err.Error()}})
		case run.UserShell():
			return h.userShell(ctx, port, rules)
		case run.Shell():
			if there := h.away.of(run.Parent); there != nil {
				return there.Work(ctx, port)
			}
			return workShell(ctx, port, &h.shells, h.watches, rules)
		case run.Isolation == lifecycle.IsolationProcess:
			return h.process(ctx, port, rules)
		case run.Remote():
			return h.workRemotely(ctx, port)
		case run.Isolation == lifecycle.IsolationWorktree:
			return h.trees.Work(ctx, port, func(ctx context.Context, port *lifecycle.Port) lifecycle.Outcome { return loop.Work(ctx, port) })
		}
		return loop.Work(ctx, port)
	}
}

func (h *Session) choose(ctx context.Context, o Options) error {
	mode, err := permission.ParseMode(cmp.Or(o.Mode, h.Settings.PermissionMode, string(permission.Default)))
	if err != nil {
		return system.Usage(err.Error())
	}
	if h.Root, err = h.session(ctx, o); err != nil {
		return err
	}
	last, err := h.Store.LastModel(ctx)
	if err != nil {
		return err
	}
	own, err := h.Store.SessionFact(ctx, h.Root, store.FactModel)
	if err != nil {
		return err
	}
	model, named := h.Models.Choose(cmp.Or(o.Model, own), h.Settings.Model, last)
	if err := h.Models.Check(model); err != nil {
		return system.Usage(err.Error())
	}
	if (o.Print || o.Unseen) && !named {
		if err := h.Models.Unattended(model); err != nil {
			return err
		}
	}
	if h.inEditor && !named && model == models.Demo {
		return acp.NoKey(h.Models.NoKey())
	}
	if fallback := h.Settings.Fallback; fallback != "" {
		if err := h.Models.Check(fallback); err != nil {
			return system.Usage("fallback: " + err.Error())
		}
	}
	effort, err := h.Store.SessionFact(ctx, h.Root, store.FactEffort)
	if err != nil {
		return err
	}
	effort = cmp.Or(o.Effort, effort, h.Settings.Effort)
	if err := CheckEffort(effort); err != nil {
		return system.Usage(err.Error())
	}
	h.Choices.begin(model, effort, mode)
	return nil
}

func (h *Session) session(ctx context.Context, o Options) (lifecycle.SessionID, error) {
	switch {
	case o.Session != "":
		found, err := stored.Named(ctx, h.Base, o.Session)
		return found.Root, err
	case o.Continue:
		return stored.Newest(ctx, h.Base)
	}
	return lifecycle.NewSessionID(), nil
}

func (h *Session) endRuns(cause lifecycle.Cause) {
	h.Opening.cancel()
	<-h.Opening.done
	ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
	defer cancel()
	if err := h.Supervisor.Close(ctx, cause); err != nil {
		slog.Error("close the session", "error", err)
	}
}

// Close ends the session's runs with this cause, and releases everything. What has ended before is told
// by the hooks that tell people so, unless Hurry is called.
func (h *Session) Close(cause lifecycle.Cause) {
	told := h.beginEnd()
	h.Exporting.Lock() // an export that is cancelled by the screen's end removes its temporary file
	defer h.Exporting.Unlock()
	h.endRuns(cause)
	told()
	h.remotes.Close()
	h.waitPlaced()
	h.keepChoice()
	h.release()
	h.closeResources()
	h.stopTelemetry()
	h.trees.Stop()
	waitShortly(h.sweeping.Wait) // what is not deleted by then the next opening deletes
	h.Base.Close()
}

// waitPlaced waits for a landing or a rewind under way, which can no longer be recorded and so puts
// every file back. If that takes too long the next opening does it.
func (h *Session) waitPlaced() {
	waitShortly(func() {
		h.placing.Lock()
		defer h.placing.Unlock()
	})
}

// waitShortly waits for something for closeLimit at most.
func waitShortly(wait func()) {
	over := make(chan struct{})
	go func() {
		defer close(over)
		wait()
	}()
	select {
	case <-over:
	case <-time.After(closeLimit):
	}
}

func closeWorkspace(w *workspace.Workspace) {
	if err := w.Close(); err != nil {
		slog.Error("close the workspace", "folder", w.Folder(), "error", err)
	}
}

// closeResources closes what open opened before the supervisor.
func (h *Session) closeResources() {
	if h.Servers != nil {
		h.Servers.Close()
	}
	closeWorkspace(h.Workspace)
	closeOutputs(h.outputs)
	h.watches.Close()
	closeFiles(h.Files)
}
