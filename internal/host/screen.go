package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pawl/agent/commands"
	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/handover"
	"pawl/internal/models"
	"pawl/internal/project"
	"pawl/internal/protection"
	"pawl/internal/socket"
	"pawl/internal/system"
	"pawl/internal/trust"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/tools/mcp"
	"pawl/ui"
	"pawl/ui/composer"
	"pawl/ui/headless"
)

// screen is a session on one terminal.
type screen struct {
	*app.Session
	front  *handover.Conn // nil in an editor
	kept   *keptMarks     // shared by all screens of the session
	begins string         // the first message
	hello  ui.Hello       // what to say to a user who comes from another session
	guest  bool           // something works in the session or shows it already, with what was trusted when it began
}

func openScreen(ctx context.Context, w base.World, o app.Options) (*app.Session, error) {
	o.Attended = true
	return app.Open(ctx, w, o)
}

// Screen is pawl without -p: it drives a session for the screen of the front that has started this
// process, and for all that come later. It returns the exit code.
func Screen(ctx context.Context, o app.Options, w base.World) (int, error) {
	if err := hasScreen(w, `pawl -p "…"`); err != nil {
		return system.ExitUsage, err
	}
	go ui.Prepare() // while the database is opened
	w.Answers = &trust.Answers{}
	session, err := openOrJoin(ctx, o, w)
	if err != nil || session == nil {
		return exitOf(err), err
	}
	return drive(ctx, o, w, session), nil
}

// leavingLimit is how long a host that is about to leave may still have its session, and leavingPause
// how often that is looked at.
const (
	leavingLimit = 10 * time.Second
	leavingPause = 20 * time.Millisecond
)

// openOrJoin opens a session or, if another host drives it, sends the front there and returns none.
func openOrJoin(ctx context.Context, o app.Options, w base.World) (*app.Session, error) {
	o.Attended = true
	session, driven, err := openOrFind(ctx, o, w)
	if driven != "" {
		err = join(ctx, o, w, driven)
	}
	return session, err
}

// join says the prompt of a command line to a session that another host drives, and sends the front
// there.
func join(ctx context.Context, o app.Options, w base.World, driven lifecycle.SessionID) error {
	next := handover.Next{Session: string(driven)}
	switch refused := (PrintOptions{Options: o}).ownersFlags(driven); {
	case refused != nil && o.First != "": // it was meant for another model, or for less freedom
		return refused
	case refused != nil: // looking on does no harm
		next.Hello = handover.Hello{Words: refused.Error(), Trouble: true}
	case forScreen(o.First):
		next.Hello.Words = "this session was open already: type " + o.First + " here"
	case o.First != "":
		if err := sayTo(ctx, driven, o.First); err != nil {
			return err
		}
	}
	w.Front.Go(next)
	return nil
}

// forScreen reports whether a text is a command that only a screen carries out.
func forScreen(text string) bool {
	name, _, ok := commands.Parse(text)
	return ok && slices.Contains(commands.ScreenNames(), name) || strings.HasPrefix(text, composer.ShellMark)
}

// openOrFind opens a session or, if another host drives it, returns which one that is. A host that is
// just leaving is waited for.
func openOrFind(ctx context.Context, o app.Options, w base.World) (_ *app.Session, driven lifecycle.SessionID, _ error) {
	for limit := time.Now().Add(leavingLimit); ; {
		session, err := app.Open(ctx, w, o)
		var other *app.DrivenError
		if err == nil || !errors.As(err, &other) {
			return session, "", err
		}
		unreached := reachHost(ctx, other.Root)
		if unreached == nil {
			return nil, other.Root, nil
		}
		if !errors.Is(unreached, socket.ErrNoHost) {
			return nil, "", fmt.Errorf("session %s is open and cannot be reached: %w", other.Root, unreached)
		}
		if time.Now().After(limit) {
			return nil, "", err
		}
		time.Sleep(leavingPause)
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
	if w.Front == nil {
		return system.Usage("this command line was not taken for one that shows a screen: put its prompt behind --, or use -p")
	}
	return nil
}

// show shows the screen over this session until its user leaves it.
func (h *screen) show(ctx context.Context) (ui.Ending, error) {
	options, err := h.uiOptions(ctx)
	if err != nil {
		return ui.Ending{}, err
	}
	options.First = h.begins
	var ending ui.Ending
	err = withTerminal(ctx, h.front, string(h.Root), func(ctx context.Context, t lentTerminal) (err error) {
		options.Clipboard = h.clipboardOf(t.environ)
		ending, err = ui.Run(ctx, t.fill(options))
		return err
	})
	return ending, err
}

// exitOf returns the exit code when no session is open.
func exitOf(err error) int {
	if err != nil {
		return system.ExitError
	}
	return system.ExitDone
}

// signalled is the cause of runs that end by a signal, given its exit code.
func signalled(code int) lifecycle.Cause {
	if code == headless.ExitSIGINT {
		return lifecycle.CauseSIGINT
	}
	return lifecycle.CauseProcessEnd
}

func (h *screen) uiOptions(ctx context.Context) (ui.Options, error) {
	model := h.Choices.Model()
	_, branch, _ := strings.Cut(project.GitBranch(h.World.Folder), " ") // without the word before it
	options := ui.Options{
		Route: app.Route{Session: h.Session},
		Model: model, Demo: model == models.Demo, Keyless: h.Models.Keyless(), Context: h.Models.Info(model).Context, Effort: h.Choices.Effort(), Mode: string(h.Choices.Mode()), Version: base.VersionText(),
		Folder: base.ShortPath(h.World.Folder), Branch: branch,
		Workspace: h.World.Folder, Slots: h.Settings.Slots().Background,
		Unready: h.Models.Unready(model),
		Export:  h.exportByKey, Screens: h.kept.screens,
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
	options.Edit = h.edit
	options.Health = func(ctx context.Context, tell func(string)) {
		h.Servers.Watch(ctx, func(all []mcp.Status) { tell(app.ServerWarning(all)) })
	}
	if h.Snapshot.Seq == 0 { // otherwise it was said at the session's start
		options.Unprotected = func() string {
			return words.Join(" · ", app.BadTypes(h.Types), h.Project.Unusable(), h.Foreign(ctx), weakness(ctx, h.Base))
		}
	}
	if h.CutOff != "" { // so it is not the session's start
		options.Unprotected = func() string { return h.CutOff }
	}
	if found, err := h.Store.Session(ctx, string(h.Root)); err == nil {
		options.Forked = forkedFrom(found)
	}
	history := prompts{path: h.Folders.State}
	options.History, options.Remember = history.all(), history.add
	if err := h.screenDrafts(ctx, &options); err != nil {
		return options, err
	}
	if err := h.screenSeen(ctx, &options); err != nil {
		return options, err
	}
	h.screenRewind(&options)
	if err := h.screenChanges(ctx, &options); err != nil {
		return options, err
	}
	return options, h.Opened(ctx, &options)
}

// weakness is the screen's line about what protects less than it could; empty if nothing does.
func weakness(ctx context.Context, b *base.Base) string {
	kept, policy, why := b.Settings.Tools.Containment, base.Sandbox(b.Settings, b.Folders), ""
	if err := protection.Unasked(ctx, b.Settings, policy, b.World.Folder); err != nil {
		why = err.Error()
	}
	return protection.Weakness(protection.Guard(), protection.Launcher(ctx, kept), protection.Sandbox(ctx, kept, policy), why)
}
