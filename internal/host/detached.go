package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"pawl/agent"
	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/fleet"
	"pawl/internal/guard"
	"pawl/internal/handover"
	"pawl/internal/hosted"
	"pawl/internal/system"
	"pawl/lifecycle"
)

// Detached is pawl -p --detach: it begins a session with a prompt, or goes on with one, writes the
// session's id, lets its front go and drives the session until nothing goes on. Questions wait for
// whoever attaches. It returns the exit code; the front has its own by then.
func Detached(ctx context.Context, o PrintOptions, w base.World) (int, error) {
	said := make(chan struct{})
	release := sync.OnceFunc(func() { close(said) })
	defer release()
	go heedFront(w, said)
	prompt, err := o.opensWith(w)
	if err != nil {
		return system.ExitUsage, err
	}
	if w.Front == nil {
		return system.ExitUsage, system.Usage("this command line was not taken for one that detaches: write -p and --detach before the prompt, or in front of --")
	}
	options := o.Options
	options.Attended, options.Unseen, options.Whole, options.AutoResumes = true, true, true, unlimited
	session, code, err := o.openOrSay(ctx, options, w, prompt)
	if session == nil {
		return code, err
	}
	if bad := app.BadTypes(session.Types); bad != "" {
		w.Tell("%s", bad)
	}
	session.WarnLeftOut(ctx)
	options.Unseen = false // whoever opens it again looks on
	h := newHost(ctx, options, w, session, nil)
	signals, stop := guard.ExitSignals(w.Guard)
	defer stop()
	w.Guard.Tell(guard.Session)
	if h.unheard != nil {
		h.over = true
		return max(h.run(signals), system.ExitError), fmt.Errorf("not begun, for nobody could come back to it: %w", h.unheard)
	}
	if err := h.say(ctx, prompt, agent.Reach(strings.Join(o.Words, " "))); err != nil {
		h.over = true
		return max(h.run(signals), system.ExitError), err
	}
	release()
	w.Front.End(system.ExitDone, string(session.Root), false)
	w.Front.Close() // whoever reads its output is not to wait for this process
	return h.run(signals), nil
}

// heedFront ends this process at once if its front is gone, or was sent a signal, before the prompt is
// said: nothing is lost by that.
func heedFront(w base.World, said <-chan struct{}) {
	select {
	case <-said:
		return
	case <-w.Front.Gone():
		w.Guard.Exit(exitHangUp)
	case signal := <-w.Front.Signals():
		code := handover.ExitCode(signal)
		w.Front.End(code, "", true)
		w.Guard.Exit(code)
	}
}

// say says a person's message to the session.
func (h *host) say(ctx context.Context, text string, reach []string) error {
	_, err := h.state.do(func() (lifecycle.Reply, error) {
		return h.session.Supervisor.Do(ctx, lifecycle.Send{Session: h.session.Root, Text: text, Reach: reach})
	})
	return err
}

// openOrSay opens the session or, if another host drives it, says the prompt to that one. A host that
// leaves without having heard it is waited for.
func (o PrintOptions) openOrSay(ctx context.Context, options app.Options, w base.World, prompt string) (*app.Session, int, error) {
	for limit := time.Now().Add(leavingLimit); ; {
		session, driven, err := openOrFind(ctx, options, w)
		if err != nil || session != nil {
			return session, system.ExitError, err
		}
		code, err := o.detachedAt(ctx, driven, prompt, w.Out)
		if !fleet.NotTaken(err) || time.Now().After(limit) {
			return nil, code, err
		}
		time.Sleep(leavingPause)
	}
}

// detachedAt says the prompt to a session that a host drives already.
func (o PrintOptions) detachedAt(ctx context.Context, root lifecycle.SessionID, prompt string, out io.Writer) (int, error) {
	if err := o.ownersFlags(root); err != nil {
		return system.ExitUsage, err
	}
	if err := sayTo(ctx, root, prompt); err != nil {
		return system.ExitError, err
	}
	if _, err := fmt.Fprintln(out, root); err != nil {
		return system.ExitError, errors.Join(errors.New("the prompt was sent"), err)
	}
	return system.ExitDone, nil
}

// sayTo says a person's message to a session that another host drives.
func sayTo(ctx context.Context, root lifecycle.SessionID, text string) error {
	session, err := hosted.Dial(ctx, root)
	if err != nil {
		return err
	}
	defer session.Close()
	_, err = session.Say(ctx, text)
	return err
}
