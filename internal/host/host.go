package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/guard"
	"pawl/internal/handover"
	"pawl/internal/socket"
	"pawl/internal/system"
	"pawl/lifecycle"
	"pawl/ui"
)

// host drives one session for all that come to it: screens on terminals that fronts have lent, and
// programs that speak stream-json over its socket. It lives while it has a screen, or something
// goes on; beside an owner it lives as long as that.
//
//	arrivals: a front has attached ─► show, on a goroutine of its own ─► departed: how it ended
//	state.changed: nothing goes on any more │ signals: the process is to end
//	                                        └─► none of them is left: leave in order
//
// Its fields belong to the goroutine of run, but for the channels, ctx and state.
type host struct {
	world   base.World
	options app.Options

	owner    *owner // nil: the host alone drives the session
	started  time.Time
	session  *app.Session
	kept     *keptMarks // of the session, shared by its screens
	state    *state
	listener *socket.Listener
	unheard  error           // why no other terminal or program can come; nil: they can
	ctx      context.Context // of everything that serves the session as it is open now
	close    context.CancelCauseFunc

	leaving chan struct{}  // closed when the session is about to be closed
	talks   sync.WaitGroup // with programs

	arrivals chan *handover.Conn
	departed chan departure
	screens  map[*screen]context.CancelCauseFunc
	shown    int             // screens, as the state has them
	looked   bool            // a screen has shown the session
	last     []parting       // screens that ended with the session, to be told once it is closed
	cause    lifecycle.Cause // of runs that end with it
	code     int
	over     bool
}

// departure is how a screen ended.
type departure struct {
	screen *screen
	ending ui.Ending
	err    error
	signal int // that ended it, or what its terminal's end counts as; 0: its user did
}

// parting is a front that is told of the end once there is nothing left of the session.
type parting struct {
	front *handover.Conn
	code  int
	text  string
	error bool // the text says what went wrong
}

// errGone ends a screen whose front is gone, or was sent a signal.
type errGone struct{ signal int }

func (e errGone) Error() string { return fmt.Sprintf("the front was sent signal %d", e.signal) }

// errReopen ends a screen that is to be shown again, over the session opened anew.
var errReopen = errors.New("the session is opened again")

func newHost(ctx context.Context, o app.Options, w base.World, session *app.Session, by *owner) *host {
	h := &host{
		owner: by, world: w, options: o, started: time.Now(), session: session, cause: lifecycle.CauseProcessEnd,
		arrivals: make(chan *handover.Conn), departed: make(chan departure), screens: map[*screen]context.CancelCauseFunc{},
	}
	h.begin(ctx)
	return h
}

// begin makes the session reachable.
func (h *host) begin(ctx context.Context) {
	h.ctx, h.close = context.WithCancelCause(ctx)
	h.leaving = make(chan struct{})
	h.kept, h.state = &keptMarks{session: h.session, screens: ui.NewScreens()}, newState()
	go h.state.follow(h.ctx, h.session)
	if h.unheard = h.listen(); h.unheard != nil { // the screen that is here works all the same
		slog.Error("make the session reachable", "session", h.session.Root, "error", h.unheard)
		if h.owner == nil {
			h.world.Tell("no other terminal can attach to this session: %s", h.unheard)
		}
	}
}

// stranded reports that work goes on to which nobody could come back: no screen shows it, and none can.
func (h *host) stranded() bool {
	return h.unheard != nil && len(h.screens) == 0 && h.owner == nil && h.state.live()
}

// done reports whether nobody needs the session any more. If so, nobody comes in from then on.
func (h *host) done() bool {
	return len(h.screens) == 0 && h.owner == nil && h.state.leave()
}

// run serves the session until nobody needs it, and returns the exit code.
func (h *host) run(signals <-chan int) int {
	for h.countScreens(); !h.over; h.countScreens() {
		select {
		case front := <-h.arrivals:
			h.show(front, "", greeting(front))
		case d := <-h.departed:
			h.leave(d)
		case <-h.state.changed:
		case code := <-signals:
			h.end(code)
		case h.cause = <-h.owner.ends():
			h.endOwned()
		}
		h.over = h.over || h.done()
	}
	h.finish(signals)
	return h.code
}

// countScreens keeps for the state how many screens there are.
func (h *host) countScreens() {
	n := len(h.screens)
	if n == h.shown {
		return
	}
	h.shown, h.looked = n, h.looked || n > 0
	h.state.note(func() {
		h.state.screens = n
		h.state.endedUnseen = h.state.endedUnseen && n == 0
	})
}

// greeting is how the user of a front came to this session.
func greeting(front *handover.Conn) ui.Hello {
	hello := front.Hello()
	return ui.Hello{Words: hello.Words, Trouble: hello.Trouble}
}

// show puts the session on the terminal of a front.
func (h *host) show(front *handover.Conn, first string, hello ui.Hello) {
	ctx, cancel := context.WithCancelCause(h.ctx)
	s := &screen{
		Session: h.session, front: front, begins: first, hello: hello, kept: h.kept, guest: h.owner != nil || len(h.screens) > 0 || h.state.working(),
	}
	h.screens[s] = cancel
	done := make(chan struct{})
	go func() {
		defer close(done)
		ending, err := s.show(ctx)
		d := departure{screen: s, ending: ending, err: err}
		if gone, is := errors.AsType[errGone](context.Cause(ctx)); is {
			d.signal = gone.signal
		}
		h.departed <- d
	}()
	go watchFront(front, cancel, done)
}

// leave decides what follows the end of a screen.
func (h *host) leave(d departure) {
	cancel, known := h.screens[d.screen]
	if !known { // takeScreens gave it up, and has told its front
		return
	}
	cancel(nil)
	delete(h.screens, d.screen)
	front, next := d.screen.front, d.ending.Next
	switch {
	case d.signal != 0 || errors.Is(d.err, ui.ErrTerminalGone):
		h.hangUp(front, cmp.Or(d.signal, hangUpSignal))
	case d.err != nil:
		h.fail(front, d.err)
	case next != nil && next.Trust != nil:
		h.reopen(d)
	case d.ending.Detach && h.stranded():
		h.show(front, "", ui.Hello{Words: "not left, for nobody could come back to what works here: " + base.OneLine(h.unheard.Error()), Trouble: true})
	case next != nil:
		d.screen.goTo(h.ctx, h.options, *next)
	case d.ending.Detach:
		h.detach(front, system.ExitDone)
	default:
		h.quit(d)
	}
}

// detach gives a terminal back, and says what goes on without it.
func (h *host) detach(front *handover.Conn, code int) {
	if h.done() {
		h.part(front, code, h.goodbye())
		h.over = true
		return
	}
	front.End(code, h.goesOn(), false)
}

// quit ends the session with its last screen, but not what has begun elsewhere and its user was not
// asked about. With others it only stops what runs, and that only if its user was asked about it and
// said so: what else goes on, as a wake-up that is due, is the others'.
func (h *host) quit(d departure) {
	if len(h.screens) == 0 && h.owner == nil {
		if !d.ending.Stop && h.unheard == nil && !h.leaveForGood() {
			h.detach(d.screen.front, system.ExitDone)
			return
		}
		h.cause = cmp.Or(d.ending.Cause, lifecycle.CauseQuit)
		h.part(d.screen.front, system.ExitDone, h.goodbye())
		h.over = true
		return
	}
	if d.ending.Stop && h.state.live() {
		if _, err := h.session.Supervisor.Do(h.ctx, lifecycle.StopAll{Root: h.session.Root, Cause: lifecycle.CauseQuit}); err != nil {
			slog.Error("stop what runs", "error", err)
		}
	}
	d.screen.front.End(system.ExitDone, h.openElsewhere(), false)
}

// leaveForGood reports that nothing runs or is being carried out, as the session stands in this moment,
// and from then on refuses to begin anything for programs. A wake-up that is due does not count.
func (h *host) leaveForGood() bool {
	if !h.state.leaveRuns() {
		return false
	}
	if h.runs() {
		h.state.stay()
		return false
	}
	return true
}

// runs reports whether something runs in the session in this moment. One that is not open yet runs nothing.
func (h *host) runs() bool {
	now, err := h.session.Supervisor.Snapshot(h.session.Root)
	return err == nil && lifecycle.NewLedger(now).Working() > 0
}

// hangUp follows the end of a screen whose terminal goes away, or whose front was told to end. Whoever
// was shown nothing has stopped nothing.
func (h *host) hangUp(front *handover.Conn, signal int) {
	code := handover.ExitCode(signal)
	cause := signalled(code)
	stays := handover.Hangup(signal) && h.session.Settings.OnHangup != "stop" && h.state.live()
	if !front.WasShown() {
		stays, cause = h.state.working(), lifecycle.CauseProcessEnd
	}
	switch {
	case len(h.screens) > 0 || h.owner != nil || stays && h.unheard == nil:
		note := h.goesOn()
		if code == exitHangUp { // nobody is there to read it
			note = ""
		}
		front.End(code, note, false)
	default:
		h.cause, h.code, h.over = cause, code, true
		if !stays {
			h.session.Hurry()
		}
		note := h.goodbye()
		if code == exitHangUp {
			note = ""
		}
		h.part(front, code, note)
	}
}

// fail tells a screen's user what broke it. What runs goes on, and so do the other screens.
func (h *host) fail(front *handover.Conn, err error) {
	text := base.OneLine(err.Error())
	if !h.stranded() && !h.done() {
		front.Fail(system.ExitError, text)
		return
	}
	h.code, h.over = system.ExitError, true
	h.last = append(h.last, parting{front, system.ExitError, text, true})
}

// end ends the session because the process was told to.
func (h *host) end(code int) {
	h.cause, h.code, h.over = signalled(code), code, true
	h.session.Hurry()
	note := h.goodbye()
	for s, cancel := range h.screens {
		h.part(s.front, code, note)
		cancel(errEnding)
	}
}

// errEnding ends the screens of a session that ends.
var errEnding = errors.New("the session ends")

// screenLimit is how long the screens of a session that ends may take: ui.Run gives up a terminal
// that takes nothing within a second.
const screenLimit = 3 * time.Second

// finish closes the session, and tells those whose screens ended with it. A signal that comes meanwhile
// hurries that.
func (h *host) finish(signals <-chan int) {
	if h.listener != nil {
		_ = h.listener.Close()
	}
	limit := time.After(screenLimit)
	for len(h.screens) > 0 {
		select {
		case d := <-h.departed:
			delete(h.screens, d.screen)
		case front := <-h.arrivals:
			front.Close() // it tries again
		case <-limit:
			for s := range h.screens { // they still write
				s.front.Untidy()
			}
			clear(h.screens)
		}
	}
	if h.session != nil {
		defer hurriedBy(signals, h.session)()
	}
	h.closeSession(h.cause)
	for _, p := range h.last {
		if p.error {
			p.front.Fail(p.code, p.text)
		} else {
			p.front.End(p.code, p.text, true)
		}
	}
}

// hurriedBy hurries a session's end at a signal, until stop is called.
func hurriedBy(signals <-chan int, session *app.Session) (stop func()) {
	done := make(chan struct{})
	go func() {
		select {
		case <-signals:
			session.Hurry()
		case <-done:
		}
	}()
	return func() { close(done) }
}

// closeSession ends the session for all that it served. Programs that watch it hear of the end of its
// runs.
func (h *host) closeSession(cause lifecycle.Cause) {
	if h.session == nil {
		return
	}
	close(h.leaving)
	h.keepUnseen()
	h.session.Close(cause)
	told := make(chan struct{})
	go func() {
		h.talks.Wait()
		close(told)
	}()
	select {
	case <-told:
	case <-time.After(lastLinesLimit):
	}
	h.close(errEnding)
}

// lastLinesLimit is how long programs may take to read what the end of a session gives them.
const lastLinesLimit = time.Second

func (h *host) part(front *handover.Conn, code int, note string) {
	h.last = append(h.last, parting{front, code, note, false})
}

// drive drives a session for its first screen and all others that come.
func drive(ctx context.Context, o app.Options, w base.World, session *app.Session) int {
	h := newHost(ctx, o, w, session, nil)
	signals, stop := guard.ExitSignals(w.Guard)
	defer stop() // after finish: a late second report of a signal must not interrupt that
	w.Guard.Tell(guard.Session)
	hello := greeting(w.Front)
	if hello.Words == "" && o.Session == "" && !o.Continue {
		hello.Find = func() string { return worksHere(h.ctx, w.Folder) }
	}
	h.show(w.Front, o.First, hello)
	return h.run(signals)
}
