package terminal

import (
	"context"
	"reflect"
	"time"

	tea "charm.land/bubbletea/v2"
)

// pace says when the picture goes to the terminal. Bubble Tea asks sixty times a
// second whether there is a new one, also in a night in which nothing happens: that
// takes one to two per cent of a processor, and a key waits up to a sixtieth for
// what it does to be seen. Here each message asks for a frame instead:
//
//	message ──► filter ──► wake, hurry, leisure ──► run: is a frame due? ──► handed ──► beat
//	              │                                                             ▲          │
//	              └──► Update, View, the picture is handed over ────────────────┘     it is written
//
// handed comes back to the filter when the program's loop is free again: what the
// message has changed has then been handed to the renderer.
//
// A frame costs the same, however little is new in it: the renderer compares all of the
// screen. So what the clock moves waits a moment for a frame of something else. Beside
// an answer that came thirty times a second that was a fifth of the frames less, and a
// twelfth of the processor time.
type pace struct {
	beat    chan time.Time // the renderer writes what is new
	wake    chan struct{}  // something may have changed; holds one
	hurry   chan struct{}  // a person did something and looks for it; holds one
	leisure chan struct{}  // the clock moved something; holds one
}

// handed says that all messages before it have been drawn.
type handed struct{}

// NewPace gives a pace that no program has yet.
func NewPace() *pace {
	return &pace{
		beat: make(chan time.Time, 1),
		wake: make(chan struct{}, 1), hurry: make(chan struct{}, 1), leisure: make(chan struct{}, 1),
	}
}

// Take puts the pace in the place of the program's own clock, before it runs. No
// option of Bubble Tea does that. Where a newer version has its clock elsewhere this
// reports false, and that clock ticks on.
func (p *pace) Take(program *tea.Program) bool {
	field := reflect.ValueOf(program).Elem().FieldByName("ticker")
	if !field.IsValid() || field.Type() != reflect.TypeFor[*time.Ticker]() {
		return false
	}
	ticker := time.NewTicker(time.Hour) // can be stopped and reset as the program does, and nobody hears it
	ticker.C = p.beat
	reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem().Set(reflect.ValueOf(ticker))
	return true
}

// Filter sees every message before the model does.
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

// Run gives the frames until ctx ends: sixty a second at most. One for a person may
// come before its time, and the next waits for as much longer.
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
		if !p.wait(ctx, due, haste) {
			return
		}
		drain(p.wake) // before handed: what rings from here on may not have been drawn
		drain(p.hurry)
		drain(p.leisure)
		send(handed{})
		now := time.Now()
		select {
		case p.beat <- now:
		default: // one is on its way, and takes this picture with it
		}
		if due.Before(now) {
			due = now
		}
		due = due.Add(Frame)
	}
}

// company waits until there is a frame to go with, trickle at most: then there is none
// but its own.
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

// wait waits for the time of a frame. It reports false when ctx has ended.
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

// ring rings a bell that holds one ring.
func ring(bell chan struct{}) {
	select {
	case bell <- struct{}{}:
	default:
	}
}

// drain takes a ring away, if there is one.
func drain(bell chan struct{}) {
	select {
	case <-bell:
	default:
	}
}
