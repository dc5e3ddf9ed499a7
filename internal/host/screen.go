package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/guard"
	"pawl/internal/models"
	"pawl/internal/project"
	"pawl/internal/protection"
	"pawl/internal/system"
	"pawl/internal/trust"
	"pawl/lifecycle"
	"pawl/tools/mcp"
	"pawl/ui"
	"pawl/ui/headless"
	"pawl/ui/terminal"
)

// errSignal is the cause when a signal ends the screen.
type errSignal struct{ code int }

func (e errSignal) Error() string { return fmt.Sprintf("signal (exit code %d)", e.code) }

// screen is a session on the screen.
type screen struct {
	*app.Session
	begins string   // the first message; empty once it is sent
	hello  ui.Hello // what to say to a user who comes from another session
}

func openScreen(ctx context.Context, w base.World, o app.Options, hello ui.Hello) (*screen, error) {
	o.Attended = true
	h, err := app.Open(ctx, w, o)
	if err != nil {
		return nil, err
	}
	return &screen{Session: h, hello: hello}, nil
}

// Screen is pawl without -p: the screen, until the user quits. It returns the exit code.
func Screen(ctx context.Context, o app.Options, w base.World) (int, error) {
	if err := hasScreen(w, `pawl -p "…"`); err != nil {
		return system.ExitUsage, err
	}
	go ui.Prepare() // while the database is opened
	w.Lease, w.Answers = &guard.Lease{}, &trust.Answers{}
	h, err := openScreen(ctx, w, o, ui.Hello{})
	if err != nil {
		return system.ExitError, err
	}
	cause := lifecycle.CauseQuit
	ctx, stop := untilSignal(ctx, w.Guard, w.Lease)
	defer stop() // after Close: a late second report of a signal must not interrupt that
	defer func() {
		if h != nil {
			h.Close(cause)
		}
	}()
	h.begins = o.First
	w.Guard.Tell(guard.Session)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	err = showEach(ctx, func() (ui.Ending, error) {
		ending, err := h.show(ctx)
		cause = cmp.Or(ending.Cause, cause)
		return ending, err
	}, func(ending ui.Ending) (err error) {
		h, err = h.follow(ctx, o, ending)
		return err
	}, func() { terminal.Release(w.Out) })
	if h == nil {
		return exitOf(ctx, err)
	}
	return h.leave(ctx, &cause, err)
}

// showEach shows one screen after another, until the user quits or something ends Pawl. A screen
// that is followed by another leaves the alternate screen on; release turns it off if none
// follows after all, or it cannot be shown.
func showEach(ctx context.Context, show func() (ui.Ending, error), follow func(ui.Ending) error, release func()) error {
	for left := false; ; left = true {
		ending, err := show()
		if err == nil && ending.Next != nil && ctx.Err() == nil {
			if err = follow(ending); err == nil {
				continue
			}
		}
		if ending.Next != nil || left && err != nil {
			release()
		}
		return err
	}
}

// hasScreen returns an error that says what to use instead if there is no terminal to show a
// screen on.
func hasScreen(w base.World, instead string) error {
	if !base.WritesTerminal(w.Out) || !base.ReadsTerminal(w.In) {
		return system.Usage(fmt.Sprintf("the screen needs a terminal: use %s without one", instead))
	}
	if models.Lookup(w.Environ)("TERM") == "dumb" { // it would print the escape sequences
		return system.Usage(fmt.Sprintf("the screen needs a terminal with a cursor to move, and TERM=dumb has none: use %s there", instead))
	}
	return nil
}

// show shows the screen over this session until its user leaves it.
func (h *screen) show(ctx context.Context) (ui.Ending, error) {
	options, err := h.uiOptions(ctx)
	if err != nil {
		return ui.Ending{}, err
	}
	options.First, h.begins = h.begins, ""
	options.In, options.Out = h.World.Guard.Screen(options.In, options.Out)
	defer h.World.Guard.KeepOutput()
	return ui.Run(ctx, options)
}

// leave says how to come back, and returns the exit code; after a signal it sets cause.
func (h *screen) leave(ctx context.Context, cause *lifecycle.Cause, err error) (int, error) {
	sent, is := signalOf(ctx, err)
	if !is {
		h.sayGoodbye()
		return system.ExitDone, err
	}
	*cause = signalled(sent.code)
	if sent.code != headless.ExitSIGHUP { // nobody is there to read it
		h.sayGoodbye()
	}
	return sent.code, nil
}

// exitOf returns the exit code when no session is open: a signal's, or that of an error.
func exitOf(ctx context.Context, err error) (int, error) {
	if sent, is := signalOf(ctx, err); is {
		return sent.code, nil
	}
	return system.ExitError, err
}

// signalOf returns the signal that has ended the screen. A terminal that is gone is one that hung
// up, whether or not its signal has come yet.
func signalOf(ctx context.Context, err error) (errSignal, bool) {
	var sent errSignal
	if errors.As(context.Cause(ctx), &sent) {
		return sent, true
	}
	return errSignal{headless.ExitSIGHUP}, errors.Is(err, ui.ErrTerminalGone)
}

// signalled is the cause of runs that end by a signal, given its exit code.
func signalled(code int) lifecycle.Cause {
	if code == headless.ExitSIGINT {
		return lifecycle.CauseSIGINT
	}
	return lifecycle.CauseProcessEnd
}

// untilSignal returns a context that is cancelled, with an errSignal as the cause, when a signal
// asks for the end.
func untilSignal(ctx context.Context, l *guard.Conn, lent *guard.Lease) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	codes, stop := guard.ExitSignals(l, lent)
	go func() {
		select {
		case code := <-codes:
			cancel(errSignal{code})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		cancel(nil)
		stop()
	}
}

func (h *screen) uiOptions(ctx context.Context) (ui.Options, error) {
	model := h.Choices.Model()
	_, branch, _ := strings.Cut(project.GitBranch(h.World.Folder), " ") // without the word before it
	options := ui.Options{
		Route: app.Route{Session: h.Session},
		Model: model, Demo: model == models.Demo, Context: h.Models.Info(model).Context, Mode: string(h.Choices.Mode()), Version: base.VersionText(),
		Folder: base.ShortPath(h.World.Folder), Branch: branch,
		Workspace: h.World.Folder, Slots: h.Settings.Slots().Background,
		Unready: h.Models.Unready(model),
		Export:  h.exportByKey, Env: h.World.Environ, In: h.World.In, Out: h.World.Out,
	}
	options.Older = func(ctx context.Context, session lifecycle.SessionID, before lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
		return h.Store.Tail(ctx, h.Root, session, before, limit)
	}
	options.Records = func(ctx context.Context, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
		return h.Store.Records(ctx, h.Root, after, limit)
	}
	options.Hide = h.Models.Hide()
	options.Files = h.names
	options.Picture = func(_ context.Context, pasted string) string { return droppedPicture(h.World.Folder, pasted) }
	h.screenCommands(&options)
	h.screenQuestions(&options)
	h.lookAndCall(ctx, &options)
	options.Edit, options.Suspend = h.edit, system.Suspend
	options.Health = func(ctx context.Context, tell func(string)) {
		h.Servers.Watch(ctx, func(all []mcp.Status) { tell(app.ServerWarning(all)) })
	}
	if h.Snapshot.Seq == 0 { // otherwise it was said at the session's start
		options.Unprotected = func() string {
			weak := protection.Weakness(protection.Guard(), protection.Launcher(ctx, h.Settings.Tools.Containment), protection.Sandbox(ctx, h.Settings.Tools.Containment, base.Sandbox(h.Settings, h.Folders)))
			return strings.Trim(strings.Trim(app.BadTypes(h.Types)+" · "+h.Project.Unusable()+" · "+h.Foreign(ctx), " ·")+" · "+weak, " ·")
		}
	}
	history := prompts{path: h.Folders.State}
	options.History, options.Remember = history.all(), history.add
	if err := h.screenDrafts(ctx, &options); err != nil {
		return options, err
	}
	if err := h.screenSeen(ctx, &options); err != nil {
		return options, err
	}
	return options, h.Opened(ctx, &options)
}

// sayGoodbye says how to come back, if the session was saved.
func (h *screen) sayGoodbye() {
	if _, err := h.Store.Session(context.Background(), string(h.Root)); err == nil {
		fmt.Fprintf(h.World.Out, "To go on: pawl --session %s\n", h.Root)
	}
}
