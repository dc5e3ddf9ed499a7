package terminal

import (
	"context"
	"reflect"
	"time"

	tea "charm.land/bubbletea/v2"
)

// pace decides when frames are drawn. Bubble Tea checks sixty times a second for a new one, even
// while nothing happens: that takes one to two per cent of a processor, and the effect of a key
// shows up to a sixtieth of a second late. Here each message asks for a frame instead:
//
//	message ──► filter ──► wake, hurry, leisure ──► run: is a frame due? ──► handed ──► beat
//	              │                                                             ▲          │
//	              └──► Update, View, the picture is handed over ────────────────┘     it is written
//
// When handed comes back to the filter the program's loop is free again: what the message has
// changed has been passed to the renderer.
//
// The next frame is drawn when the terminal has taken the last one: a slow one gets fewer.
//
// A frame always costs the same, however little is new: the renderer compares the whole screen.
// So changes by the clock wait a moment for another frame to join. During an answer that came
// thirty times a second this saved a fifth of the frames and a twelfth of the processor time.
type pace struct {
	out     *Output        // may be nil
	beat    chan time.Time // makes the renderer write what is new
	wake    chan struct{}  // something may have changed; holds one
	hurry   chan struct{}  // a person acted and waits for the effect; holds one
	leisure chan struct{}  // the clock moved something; holds one
}

// handed is the message that all earlier ones have been drawn.
type handed struct{}

// NewPace returns a pace for one program and its terminal, if it has one.
func NewPace(out *Output) *pace {
	return &pace{
		out:  out,
		beat: make(chan time.Time, 1),
		wake: make(chan struct{}, 1), hurry: make(chan struct{}, 1), leisure: make(chan struct{}, 1),
	}
}

// Take replaces the program's own ticker, before it runs; Bubble Tea has no option for that. It
// reports false, and the program keeps its ticker, if a newer version stores it elsewhere.
func (p *pace) Take(program *tea.Program) bool {
	field := reflect.ValueOf(program).Elem().FieldByName("ticker")
	if !field.IsValid() || field.Type() != reflect.TypeFor[*time.Ticker]() {
		return false
	}
	ticker := time.NewTicker(time.Hour) // the program may stop and reset it; its ticks go nowhere
	ticker.C = p.beat
	reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem().Set(reflect.ValueOf(ticker))
	return true
}

// Filter gets every message before the model does.
func (p *pace) Filter(_ tea.Model, msg tea.Msg) tea.Msg {
	bell := p.wake
	switch msg.(type) {
	case handed:
		return nil
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseMsg, tea.WindowSizeMsg:
		bell = p.hurry
	case Tick:
		bell = p.leisure
	}
	ring(bell)
	return msg
}

// Run triggers frames until ctx ends, at most sixty a second. One for a person may come early,
// and the next is then later by as much.
func (p *pace) Run(ctx context.Context, send func(tea.Msg)) {
	due := time.Now()
	for {
		haste := time.Duration(0)
		select {
		case <-ctx.Done():
			return
		case <-p.wake:
		case <-p.hurry:
			haste = Frame
		case <-p.leisure:
			haste = p.company(ctx)
		}
		if !p.wait(ctx, due, haste) || !p.written(ctx) {
			return
		}
		drain(p.wake) // before handed: changes from here on may not have been drawn
		drain(p.hurry)
		drain(p.leisure)
		send(handed{})
		now := time.Now()
		select {
		case p.beat <- now:
		default: // a pending one takes this picture along
		}
		if due.Before(now) {
			due = now
		}
		due = due.Add(Frame)
	}
}

// company waits for another frame to join, at most Trickle.
func (p *pace) company(ctx context.Context) (haste time.Duration) {
	timer := time.NewTimer(Trickle)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-p.wake:
	case <-p.hurry:
		return Frame
	}
	return 0
}

// wait waits until a frame is due. It reports false when ctx has ended.
func (p *pace) wait(ctx context.Context, due time.Time, haste time.Duration) bool {
	for {
		rest := time.Until(due) - haste
		if rest <= 0 {
			return ctx.Err() == nil
		}
		timer := time.NewTimer(rest)
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-p.hurry:
			haste = Frame
		}
		timer.Stop()
		if ctx.Err() != nil {
			return false
		}
	}
}

// written waits until the terminal has taken the last frame. It reports false when ctx has ended.
func (p *pace) written(ctx context.Context) bool {
	select {
	case <-p.out.Idle():
		return true
	case <-ctx.Done():
		return false
	}
}

// ring rings a bell, which holds one ring.
func ring(bell chan struct{}) {
	select {
	case bell <- struct{}{}:
	default:
	}
}

// drain removes a ring, if there is one.
func drain(bell chan struct{}) {
	select {
	case <-bell:
	default:
	}
}
