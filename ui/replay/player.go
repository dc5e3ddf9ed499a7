package replay

import (
	"context"
	"fmt"
	"sync"
	"time"

	"pawl/lifecycle"
)

// Options say what is played, and how.
type Options struct {
	// Records reads the log: the records after a number, in order, at most limit.
	Records func(ctx context.Context, after lifecycle.Seq, limit int) ([]lifecycle.Record, error)
	Upto    lifecycle.Seq // the last record that is played
	// First and Last are when the first and the last record were written.
	First, Last time.Time
	Speed       float64 // recorded time over time that passes; 1 where it is 0
	Whole       bool    // silences last as long as they did
}

// State is where a replay stands.
type State struct {
	Seq, Upto   lifecycle.Seq // of the records that were shown, and of all
	First, Last time.Time
	Speed       float64
	Paused      bool
	Leaping     bool          // on its way to somewhere: more follows at once
	Silence     time.Duration // the recorded one that is cut short now; 0: none is
}

// Over reports whether all was shown.
func (s State) Over() bool { return s.Seq >= s.Upto }

// Moving reports whether time passes in it.
func (s State) Moving() bool { return !s.Over() && (s.Leaping || !s.Paused) }

// Frame is what a replay shows at once.
type Frame struct {
	// Again says that all that was shown before is gone: Records begin at the first.
	Again   bool
	Records []lifecycle.Record // in order, none missing
	State   State
}

// Player plays one log, on one goroutine; its other methods may be called from any.
type Player struct {
	options Options
	bell    chan struct{} // holds one ring

	mu     sync.Mutex
	orders []Order
	tape   tape

	// Of the goroutine that plays.
	seq   lifecycle.Seq
	ahead []lifecycle.Record // that were read and not shown
	ends  []lifecycle.Seq    // of runs, as far as they were ever shown
	leap  *leap
	again bool // what was shown is gone
}

// leap is a way through the log without time: to a record, or to the next end of a run
// before it.
type leap struct {
	to  lifecycle.Seq
	end bool
}

// New makes a player that stands before the first record.
func New(options Options) *Player {
	p := &Player{options: options, bell: make(chan struct{}, 1)}
	p.tape = tape{speed: options.Speed, whole: options.Whole, at: options.First}
	if p.tape.speed <= 0 {
		p.tape.speed = 1
	}
	return p
}

// Before is how it stands before it plays.
func (p *Player) Before() State {
	o := p.options
	return State{Upto: o.Upto, First: o.First, Last: o.Last, Speed: p.reading().speed}
}

// Do has an order carried out soon. It waits for nothing.
func (p *Player) Do(order Order) {
	p.mu.Lock()
	p.orders = append(p.orders, order)
	p.mu.Unlock()
	select {
	case p.bell <- struct{}{}:
	default: // it is awake, or will be
	}
}

// Now is the recorded time that is reached.
func (p *Player) Now() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tape.reached(time.Now())
}

// frame is the least time between two frames that show time passing: 60 a second.
const frame = time.Second / 60

// Run plays until ctx ends and returns its cause, or the error of reading the log. It
// calls show on this goroutine with each frame, the first of them at once; who is slow
// to take one gets more with the next.
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

// wait waits for the next record to be due, or for an order. It reports false when ctx
// has ended.
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

// behind is how far a replay catches up with time that it has missed: with what a busy
// screen takes, and not with the hour for which its process was suspended.
const behind = time.Second

// page is how many records are read at once, and shown at most.
const page = 500

// gather takes what is to be shown now: what is due or, on a leap, the next page of it.
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
			at = later(t.begun.Add(t.takes()), now.Add(-behind)) // when it was due, so that nothing adds up
		}
		records = append(records, rec)
		if err := p.pass(ctx, rec, at); err != nil {
			return records, err
		}
	}
	return records, nil
}

// pass goes behind a record.
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

// read has the next record at hand, unless there is none.
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

// next is when the next record was written; zero where there is none.
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
