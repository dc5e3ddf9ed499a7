package replay

import (
	"context"
	"fmt"
	"sync"
	"time"

	"pawl/lifecycle"
)

// Options say what to play, and how.
type Options struct {
	// Records reads at most limit records of the log after the given one, in order.
	Records func(ctx context.Context, after lifecycle.Seq, limit int) ([]lifecycle.Record, error)
	Upto    lifecycle.Seq // the last record to play
	// First and Last are the times of the first and the last record.
	First, Last time.Time
	Speed       float64 // recorded time per time that passes; 0 means 1
	Whole       bool    // silences are not cut short
}

// State is the state of a replay.
type State struct {
	Seq, Upto   lifecycle.Seq // the last record shown, and the last of all
	First, Last time.Time
	Speed       float64
	Paused      bool
	Leaping     bool          // leaping: more records follow at once
	Silence     time.Duration // the recorded silence that is being cut short; 0: none
}

// Over reports whether everything was shown.
func (s State) Over() bool { return s.Seq >= s.Upto }

// Moving reports whether time passes.
func (s State) Moving() bool { return !s.Over() && (s.Leaping || !s.Paused) }

// Frame is what a replay shows at once.
type Frame struct {
	// Again: forget everything shown so far; Records begin at the first.
	Again   bool
	Records []lifecycle.Record // in order, none missing
	State   State
}

// Player plays one log on one goroutine; its other methods may be called from any.
type Player struct {
	options Options
	bell    chan struct{} // wakes Run; holds one ring

	mu     sync.Mutex
	orders []Order
	tape   tape

	// Used only by the goroutine in Run.
	seq   lifecycle.Seq
	ahead []lifecycle.Record // read and not shown yet
	ends  []lifecycle.Seq    // ends of runs that were ever shown
	leap  *leap
	again bool // the next frame starts again
}

// leap is a move through the log without waiting: to a record, or to the next end of a run
// before it.
type leap struct {
	to  lifecycle.Seq
	end bool
}

// New returns a player before the first record.
func New(options Options) *Player {
	p := &Player{options: options, bell: make(chan struct{}, 1)}
	p.tape = tape{speed: options.Speed, whole: options.Whole, at: options.First}
	if p.tape.speed <= 0 {
		p.tape.speed = 1
	}
	return p
}

// Before is the state before playing.
func (p *Player) Before() State {
	o := p.options
	return State{Upto: o.Upto, First: o.First, Last: o.Last, Speed: p.reading().speed}
}

// Do gives an order, which is carried out soon. It does not block.
func (p *Player) Do(order Order) {
	p.mu.Lock()
	p.orders = append(p.orders, order)
	p.mu.Unlock()
	select {
	case p.bell <- struct{}{}:
	default: // it is awake already
	}
}

// Now is the current recorded time.
func (p *Player) Now() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tape.reached(time.Now())
}

// frame is the shortest time between two frames that show only time passing: 60 a second.
const frame = time.Second / 60

// Run plays until ctx ends and returns its cause, or an error of reading the log. It calls show
// on this goroutine with each frame, the first one at once; if show is slow the next frame holds
// more.
func (p *Player) Run(ctx context.Context, show func(Frame)) error {
	for first := true; ; first = false {
		asked := p.obey()
		records, err := p.gather(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		if first || asked || len(records) > 0 {
			show(Frame{Again: p.again, Records: records, State: p.state()})
			p.again = false
		}
		if !p.wait(ctx) {
			return context.Cause(ctx)
		}
	}
}

// wait waits until the next record is due or an order comes. It reports false when ctx has
// ended.
func (p *Player) wait(ctx context.Context) bool {
	if p.leap != nil {
		return ctx.Err() == nil
	}
	var due <-chan time.Time
	if !p.state().Paused && len(p.ahead) > 0 {
		timer := time.NewTimer(max(p.reading().due(time.Now()), frame))
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-ctx.Done():
		return false
	case <-p.bell:
	case <-due:
	}
	return true
}

// behind limits how far a replay catches up with lost time: with that of a busy screen, but not
// with an hour for which it was suspended.
const behind = time.Second

// page is how many records are read at once, and shown at most.
const page = 500

// gather returns the records to show now: those that are due or, in a leap, the next page.
func (p *Player) gather(ctx context.Context) ([]lifecycle.Record, error) {
	var records []lifecycle.Record
	now := time.Now()
	for len(records) < page {
		if err := p.read(ctx); err != nil {
			return records, err
		}
		if len(p.ahead) == 0 {
			p.leap = nil
			return records, nil
		}
		rec, at := p.ahead[0], now
		switch t := p.reading(); {
		case p.leap != nil && rec.Seq > p.leap.to:
			p.leap = nil
			continue
		case p.leap != nil:
		case t.paused || t.due(now) > 0:
			return records, nil
		default:
			at = later(t.begun.Add(t.takes()), now.Add(-behind)) // when it was due, so that delays do not add up
		}
		records = append(records, rec)
		if err := p.pass(ctx, rec, at); err != nil {
			return records, err
		}
	}
	return records, nil
}

func (p *Player) pass(ctx context.Context, rec lifecycle.Record, now time.Time) error {
	p.seq, p.ahead = rec.Seq, p.ahead[1:]
	if _, ended := rec.Event.(lifecycle.Ended); ended {
		if n := len(p.ends); n == 0 || rec.Seq > p.ends[n-1] {
			p.ends = append(p.ends, rec.Seq)
		}
		if p.leap != nil && p.leap.end {
			p.leap = nil
		}
	}
	if p.leap != nil && rec.Seq >= p.leap.to {
		p.leap = nil
	}
	if err := p.read(ctx); err != nil {
		return err
	}
	p.change(func(t tape) tape { return t.passed(rec.Time, p.next(), now) })
	return nil
}

// read makes sure that the next record is in ahead, unless there is none.
func (p *Player) read(ctx context.Context) error {
	if len(p.ahead) > 0 || p.seq >= p.options.Upto {
		return nil
	}
	records, err := p.options.Records(ctx, p.seq, int(min(page, p.options.Upto-p.seq)))
	if err != nil {
		return fmt.Errorf("read the recording after record %d: %w", p.seq, err)
	}
	if len(records) == 0 || records[0].Seq != p.seq+1 {
		return fmt.Errorf("read the recording: record %d is missing", p.seq+1)
	}
	p.ahead = records
	if p.seq == 0 {
		p.change(func(t tape) tape { return t.passed(t.at, p.next(), time.Now()) })
	}
	return nil
}

// next is the time of the next record; zero if there is none.
func (p *Player) next() time.Time {
	if len(p.ahead) == 0 {
		return time.Time{}
	}
	return p.ahead[0].Time
}

func (p *Player) reading() tape {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tape
}

func (p *Player) change(to func(tape) tape) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tape = to(p.tape)
}

func (p *Player) state() State {
	t := p.reading()
	s := State{
		Seq: p.seq, Upto: p.options.Upto, First: p.options.First, Last: p.options.Last,
		Speed: t.speed, Paused: t.paused, Leaping: p.leap != nil,
	}
	if t.cut() {
		s.Silence = t.silence
	}
	return s
}
