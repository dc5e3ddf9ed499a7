package replay

import (
	"slices"
	"time"

	"pawl/lifecycle"
)

// obey carries out pending orders and reports whether there were any.
func (p *Player) obey() bool {
	p.mu.Lock()
	orders := p.orders
	p.orders = nil
	p.mu.Unlock()
	for _, order := range orders {
		p.follow(order)
	}
	return len(orders) > 0
}

func (p *Player) follow(order Order) {
	switch order {
	case Turn:
		if p.seq >= p.options.Upto {
			p.rewind(0)
			p.hold(false)
			return
		}
		p.hold(!p.reading().paused)
	case Step:
		p.hold(true)
		p.leap = &leap{to: p.seq + 1}
	case StepBack:
		p.hold(true)
		p.rewind(max(0, p.seq-1))
	case NextEnd:
		p.leap = &leap{to: p.options.Upto, end: true}
	case LastEnd:
		p.rewind(p.endBefore(p.seq))
	case Faster:
		p.speedUp(factor)
	case Slower:
		p.speedUp(1.0 / factor)
	case Start:
		p.rewind(0)
	case End:
		p.leap = &leap{to: p.options.Upto}
	}
}

func (p *Player) hold(paused bool) {
	p.change(func(t tape) tape { return t.turned(time.Now(), func(t *tape) { t.paused = paused }) })
}

func (p *Player) speedUp(by float64) {
	p.change(func(t tape) tape {
		return t.turned(time.Now(), func(t *tape) { t.speed = min(max(t.speed*by, Slowest), Fastest) })
	})
}

func (p *Player) rewind(to lifecycle.Seq) {
	p.seq, p.ahead, p.again, p.leap = 0, nil, true, nil
	p.change(func(t tape) tape {
		t.at, t.begun, t.next, t.silence, t.waited = p.options.First, time.Now(), time.Time{}, 0, 0
		return t
	})
	if to > 0 {
		p.leap = &leap{to: to}
	}
}

// endBefore is the last end of a run before a record, or 0.
func (p *Player) endBefore(seq lifecycle.Seq) lifecycle.Seq {
	for _, end := range slices.Backward(p.ends) {
		if end < seq {
			return end
		}
	}
	return 0
}
