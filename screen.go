package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"

	"pawl/internal/base"
	"pawl/internal/guard"
	"pawl/internal/host"
	"pawl/internal/models"
	"pawl/internal/project"
	"pawl/internal/trust"
	"pawl/lifecycle"
	"pawl/tools/mcp"
	"pawl/ui"
	"pawl/ui/headless"
	tty "pawl/ui/terminal"
)

// firstScreen is how many records of a reopened session are read before the first
// frame: a screen full of the densest conversation, and some to scroll to.
const firstScreen = 150

// errSignal is the cause with which a signal ends the screen.
type errSignal struct{ code int }

func (e errSignal) Error() string { return fmt.Sprintf("signal (exit code %d)", e.code) }

// runScreen is pawl without -p: the screen over one session, until the user quits.
func runScreen(ctx context.Context, c *chatCommand, w base.World) (int, error) {
	if err := hasScreen(w, `pawl -p "…"`); err != nil {
		return host.ExitUsage, err
	}
	go ui.Prepare() // beside the database
	w.Lease, w.Answers = &guard.Lease{}, &trust.Answers{}
	h, err := openHouse(ctx, w, c, attendance{attended: true})
	if err != nil {
		return host.ExitError, err
	}
	cause := lifecycle.CauseQuit
	ctx, stop := untilSignal(ctx, w.Guard, w.Lease)
	defer stop() // after the close: a late second report of a signal must not end that
	defer func() {
		if h != nil {
			h.Close(cause)
		}
	}()
	h.begins = c.begins()
	w.Guard.Tell(guard.Session)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	err = showEach(ctx, func() (ui.Ending, error) {
		ending, err := h.show(ctx)
		cause = cmp.Or(ending.Cause, cause)
		return ending, err
	}, func(ending ui.Ending) (err error) {
		h, err = h.follow(ctx, *c, ending)
		return err
	}, func() { tty.Release(w.Out) })
	if h == nil {
		return exitOf(ctx, err)
	}
	return h.part(ctx, &cause, err)
}

// showEach shows one screen after another, until the user quits or something ends Pawl.
// A screen that another one follows leaves the alternate screen on for it; where none
// comes after all, or it cannot be shown, release switches that off.
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

// hasScreen says that there is nothing to show a screen on, and what to use there.
func hasScreen(w base.World, instead string) error {
	if !isTerminal(w.Out) || !readsTerminal(w.In) {
		return host.Usage(fmt.Sprintf("the screen needs a terminal: use %s without one", instead))
	}
	if models.Lookup(w.Environ)("TERM") == "dumb" { // it would show the sequences themselves
		return host.Usage(fmt.Sprintf("the screen needs a terminal with a cursor to move, and TERM=dumb has none: use %s there", instead))
	}
	return nil
}

// show has the screen over this session until its user leaves it.
func (h *house) show(ctx context.Context) (ui.Ending, error) {
	options, err := h.screen(ctx)
	if err != nil {
		return ui.Ending{}, err
	}
	options.First, h.begins = h.begins, ""
	options.In, options.Out = h.World.Guard.Screen(options.In, options.Out)
	defer h.World.Guard.KeepOutput()
	return ui.Run(ctx, options)
}

// part says how Pawl ends, and how to come back; cause becomes a signal's, if one came.
func (h *house) part(ctx context.Context, cause *lifecycle.Cause, err error) (int, error) {
	var sent errSignal
	if errors.As(context.Cause(ctx), &sent) {
		*cause = signalled(sent.code)
		if sent.code != headless.ExitSIGHUP { // then nobody is there to read it
			h.sayGoodbye()
		}
		return sent.code, nil
	}
	h.sayGoodbye()
	return host.ExitDone, err
}

// exitOf is the end where no session is open: a signal's, or that of an error.
func exitOf(ctx context.Context, err error) (int, error) {
	var sent errSignal
	if errors.As(context.Cause(ctx), &sent) {
		return sent.code, nil
	}
	return host.ExitError, err
}

// signalled is why runs end with a signal of this exit code.
func signalled(code int) lifecycle.Cause {
	if code == headless.ExitSIGINT {
		return lifecycle.CauseSIGINT
	}
	return lifecycle.CauseProcessEnd
}

// untilSignal ends the context, with its exit code as the cause, when a signal
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

func readsTerminal(r io.Reader) bool {
	file, ok := r.(*os.File)
	return ok && term.IsTerminal(file.Fd())
}

// screen is what the screen is told of the world.
func (h *house) screen(ctx context.Context) (ui.Options, error) {
	model := h.choices.Model()
	options := ui.Options{
		Route: route{h},
		Model: model, Demo: model == models.Demo, Context: h.Models.Traits(model).Context, Mode: string(h.choices.Mode()), Version: base.VersionText(),
		Folder: base.ShortPath(h.World.Folder), Branch: branchName(h.World.Folder),
		Workspace: h.World.Folder,
		Unready:   h.Models.Unready(model),
		Export:    h.exportByKey, Env: h.World.Environ, In: h.World.In, Out: h.World.Out,
	}
	options.Older = func(ctx context.Context, session lifecycle.SessionID, before lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
		return h.Store.Tail(ctx, h.root, session, before, limit)
	}
	options.Records = func(ctx context.Context, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
		return h.Store.Records(ctx, h.root, after, limit)
	}
	options.Hide = h.Models.Hide()
	h.screenFiles(&options)
	h.screenCommands(&options)
	h.screenQuestions(&options)
	h.lookAndCall(ctx, &options)
	options.Edit = h.edit
	options.Ailing = func(ctx context.Context, tell func(string)) {
		h.servers.Watch(ctx, func(all []mcp.Status) { tell(ailing(all)) })
	}
	if h.snapshot.Seq == 0 { // else it was said when the session began
		options.Weak = func() string {
			weak := weakness(guardProtection(), launcherProtection(ctx, h.Settings.Tools.Containment), sandboxProtection(ctx, h.Settings.Tools.Containment, sandboxOf(h.Settings, h.Folders)))
			return strings.Trim(strings.Trim(badTypes(h.types)+" · "+h.project.PassedOver()+" · "+h.foreign(ctx), " ·")+" · "+weak, " ·")
		}
	}
	history := prompts{path: h.Folders.State}
	options.History, options.Remember = history.all(), history.add
	kept, texts, err := openDrafts(ctx, h.Store, h.World.Folder, h.root)
	if err != nil {
		return options, err
	}
	options.Drafts = texts
	options.SaveDraft = func(session lifecycle.SessionID, text string) { kept.save(context.WithoutCancel(ctx), session, text) }
	if err := h.screenSeen(ctx, &options); err != nil {
		return options, err
	}
	return options, h.opened(ctx, &options)
}

// sayGoodbye tells how to come back, if there is anything to come back to.
func (h *house) sayGoodbye() {
	if _, err := h.Store.Session(context.Background(), string(h.root)); err == nil {
		fmt.Fprintf(h.World.Out, "To go on: pawl --session %s\n", h.root)
	}
}

// branchName is the branch without the word before it.
func branchName(folder string) string {
	_, name, _ := strings.Cut(project.GitBranch(folder), " ")
	return name
}
