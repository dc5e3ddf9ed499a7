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
	"pawl/agent/permission"
	"pawl/agent/permission/grants"
	"pawl/agent/types"
	"pawl/internal/base"
	"pawl/internal/failpoint"
	"pawl/internal/host"
	"pawl/internal/models"
	"pawl/internal/project"
	"pawl/internal/trust"
	"pawl/internal/worktree"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/tools"
	"pawl/tools/mcp"
	"pawl/tools/outputs"
	"pawl/tools/workspace"
	"pawl/ui/acp"
)

// closing is how long Pawl waits on its way out for what it stopped: the 2 s that
// a stop may take, and a second to record it.
const closing = 3 * time.Second

// Session is one root session with all that drives it.
type Session struct {
	*base.Base
	onScreen   bool // else standard error is where people are told
	inEditor   bool // its screen is an editor's
	Supervisor *lifecycle.Supervisor
	Opening    *opening
	Snapshot   lifecycle.Snapshot // as it was opened; of one whose opening is under way, its end
	Root       lifecycle.SessionID
	Choices    choices
	around     agent.Surroundings
	Types      types.Found          // of subagents, those of this folder too
	Workspace  *workspace.Workspace // the parent's: it remembers what was read, over all its runs
	shells     tools.Shells         // of the parent and of subagents that work in this process
	gate       agent.Gate           // of all requests, also those of runs in processes of their own
	outputs    *outputs.Store       // of the whole session
	sweeping   sync.WaitGroup
	trees      *worktree.Trees
	Exporting  sync.Mutex // held while a key's export is written
	Servers    *mcp.Servers
	Allowed    *trust.Allowed    // what the user has allowed here for good
	Options    Options           // how it was opened
	Project    project.Project   // what the folder's own files want
	wary       bool              // something of that is not trusted: see rules
	leavings   *project.Leavings // what commands leave of such files
	greeted    atomic.Bool       // the hooks of the session's start have been asked
	telling    telling           // the hooks of what people are told
	telemetry  telemetry
	release    func()
}

// Options say which session is opened, and for whom.
type Options struct {
	Session     string // its id, or how that begins or ends; empty: a new one
	Continue    bool   // the last session of the folder
	Model, Mode string // empty: the setting's
	Trust       bool   // the folder, for this call
	First       string // what the user wants to say first

	Print       bool // one prompt, without a screen
	Attended    bool // somebody can answer questions
	Editor      bool // an editor does, in the place of a screen
	Whole       bool // the session stands whole before its first frame, or not at all
	AutoResumes int  // 0: the setting's
}

// Open joins the rooms: settings, store, provider, loop, supervisor.
func Open(ctx context.Context, w base.World, o Options) (*Session, error) {
	if !filepath.IsAbs(w.Folder) {
		return nil, errors.New("the current folder is gone or cannot be read: change to another and start Pawl there")
	}
	h := &Session{onScreen: o.Attended && !o.Print, inEditor: o.Editor, around: project.Surroundings(w.Folder)}
	h.telemetry.since = time.Now()
	var err error
	if h.Base, err = base.Open(ctx, w, store.Options{Waiting: h.waiting}); err != nil {
		return nil, err
	}
	h.Options, h.leavings = o, project.NewLeavings(h.Base)
	if err := h.applyTrust(ctx, o.Trust); err != nil {
		h.Base.Close()
		return nil, err
	}
	if err := h.open(ctx, o); err != nil {
		h.Base.Close()
		return nil, err
	}
	return h, nil
}

// waiting tells people that another process keeps the database: on the screen, or
// where there is none on standard error. It is the supervisor's writer that waits.
func (h *Session) waiting(waited time.Duration) {
	why := fmt.Sprintf("waiting for %s: another process keeps the database busy (%s)", waited.Round(time.Second), h.Store.Path())
	if h.onScreen {
		h.Supervisor.ReportBlocked(why)
	} else {
		fmt.Fprintln(h.World.Err, "pawl: not saved: "+why)
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
	h.outputs = outputs.New(base.OutputsOf(h.Base, h.Root))
	h.Workspace.Outputs, h.shells.Outputs = h.outputs, h.outputs
	h.Workspace.Readable, h.Workspace.Own = h.Settings.Permissions.Reading, ownFolders()
	h.Allowed = trust.NewAllowed(h.Folders, h.World.Folder)
	release, err := h.Store.Lock(h.Root)
	if err != nil {
		h.closeResources()
		return h.driven(err)
	}
	h.startServers() // before the supervisor, which may begin a run
	h.trees = h.worktrees()
	limits := h.Settings.Slots()
	if o.AutoResumes != 0 {
		limits.AutoResumes = o.AutoResumes
	}
	loop := agent.Loop{Resolve: h.Models.Resolve, Entries: h.Store.Entries, Info: h.Models.Info, Kit: h.kit, Gate: &h.gate}
	h.Supervisor = lifecycle.New(lifecycle.Options{
		Journal: &journal{Store: h.Store, note: h.noteOpening}, Work: h.worker(loop), Limits: limits, Attended: o.Attended,
		AskInBackground: h.Settings.Subagents.BackgroundPermissions == "ask",
		Attach:          h.attach,
		Permissions:     grants.Policy{Bounds: h.bounds, Add: h.Allowed.Add},
	})
	seed := lifecycle.Spec{Type: agent.TypeGeneral, Model: h.Choices.Model(), Folder: h.World.Folder}
	h.Opening = h.begin(ctx, seed)
	if o.Attended && !o.Whole && (o.Continue || o.Session != "") { // the screen comes first
		h.Snapshot, err = h.underWay(ctx)
	} else {
		h.Snapshot, err = h.Opening.Wait(context.WithoutCancel(ctx))
	}
	if err != nil {
		h.shut(lifecycle.CauseProcessEnd)
		release()
		h.closeResources()
		return err
	}
	h.release = release
	h.sweeping.Go(func() { h.sweepOutputs(ctx) })
	h.trees.Start(ctx)
	h.startTelling()
	h.startTelemetry()
	return nil
}

// driven says of a session that another process drives what can be done.
func (h *Session) driven(err error) error {
	if !errors.Is(err, store.ErrLocked) {
		return err
	}
	return &store.Fault{Kind: store.ErrLocked, Cause: err, Text: fmt.Sprintf("%v or pawl export %s, on the screen with pawl import %s, or begin another with pawl", err, h.Root, h.Root)}
}

// worker is the loop's, here or in a process of its own, or a command's, with the
// point at which a test makes a run die.
func (h *Session) worker(loop agent.Loop) lifecycle.Worker {
	return func(ctx context.Context, port *lifecycle.Port) lifecycle.Outcome {
		failpoint.Reach("worker")
		run := port.Run()
		rules, err := h.rules(run)
		switch {
		case err != nil:
			return lifecycle.Outcome{Err: &lifecycle.Failure{Kind: lifecycle.FailSetup, Message: err.Error()}}
		case run.Shell():
			return h.shells.Work(ctx, port, rules.commands(run))
		case run.Isolation == lifecycle.IsolationProcess:
			return h.process(ctx, port, rules)
		case run.Isolation == lifecycle.IsolationWorktree:
			return h.trees.Work(ctx, port, func(ctx context.Context, port *lifecycle.Port) lifecycle.Outcome { return loop.Work(ctx, port) })
		}
		return loop.Work(ctx, port)
	}
}

// choose settles what was left open: the session, the model and the mode.
func (h *Session) choose(ctx context.Context, o Options) error {
	mode, err := permission.ParseMode(cmp.Or(o.Mode, h.Settings.PermissionMode, string(permission.Default)))
	if err != nil {
		return host.Usage(err.Error())
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
		return host.Usage(err.Error())
	}
	if o.Print && !named {
		if err := h.Models.Unattended(model); err != nil {
			return err
		}
	}
	if h.inEditor && !named && model == models.Demo {
		return acp.NoKey(models.NoKey())
	}
	h.Choices.begin(model, mode)
	return nil
}

// session finds the session to go on with, or begins one.
func (h *Session) session(ctx context.Context, o Options) (lifecycle.SessionID, error) {
	switch {
	case o.Session != "":
		found, err := h.Store.Session(ctx, o.Session)
		if err != nil {
			return "", host.Usage(err.Error())
		}
		return found.Root, nil
	case o.Continue:
		found, err := h.Store.Sessions(ctx, store.Filter{Folder: h.World.Folder, RootsOnly: true, Limit: 1})
		if err != nil {
			return "", err
		}
		if len(found) == 0 {
			return "", host.Usage("there is no session in this folder to continue: start one with pawl")
		}
		return found[0].ID, nil
	}
	return lifecycle.NewSessionID(), nil
}

// shut ends everything with this cause.
func (h *Session) shut(cause lifecycle.Cause) {
	h.Opening.cancel()
	<-h.Opening.done
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	if err := h.Supervisor.Close(ctx, cause); err != nil {
		slog.Error("close the session", "error", err)
	}
}

// Close ends the session's runs for this cause, and lets go of it.
func (h *Session) Close(cause lifecycle.Cause) {
	h.telling.stop()
	h.Exporting.Lock() // an export that the end of the screen cancels takes its hidden file along
	defer h.Exporting.Unlock()
	h.shut(cause)
	h.keepChoice()
	h.release()
	h.closeResources()
	h.stopTelemetry()
	h.trees.Stop()
	h.sweeping.Wait()
	h.Base.Close()
}

func closeWorkspace(w *workspace.Workspace) {
	if err := w.Close(); err != nil {
		slog.Error("close the workspace", "folder", w.Folder(), "error", err)
	}
}

// closeResources gives back what open took before the supervisor.
func (h *Session) closeResources() {
	if h.Servers != nil {
		h.Servers.Close()
	}
	closeWorkspace(h.Workspace)
	closeOutputs(h.outputs)
}
