package transcript

import (
	"math/bits"
	"time"

	"pawl/lifecycle"
)

const (
	pulseCells = 10              // of a Pulse
	pulseCell  = 6 * time.Second // what one of them covers
	actWeight  = 8               // of a record, in tokens: a call or a result is about a line
)

// Pulse is how much a run did lately: in each of the last ten stretches of six seconds, in
// tokens. It takes the same few bytes however long the run goes on.
type Pulse struct {
	amounts [pulseCells]int64 // amounts[n%pulseCells] is that of stretch n
	newest  int64             // the stretch of the newest sign of life, 0 before the first

	step   int // of the newest progress, with its tokens: only what is new counts
	tokens int64

	readAt int64 // the second for which levels were read: they change once a second at most
	levels []int
}

// beat notes a sign of life.
func (p *Pulse) beat(at time.Time, amount int64) {
	if at.IsZero() {
		return
	}
	n := at.Unix() / int64(pulseCell/time.Second)
	p.clear(n)
	if n > p.newest-pulseCells {
		p.amounts[n%pulseCells] += amount
	}
}

// clear empties the stretches that have begun up to n.
func (p *Pulse) clear(n int64) {
	for ; p.newest < n; p.newest++ {
		if n-p.newest > pulseCells {
			p.newest = n - pulseCells - 1
		}
		p.amounts[(p.newest+1)%pulseCells] = 0
	}
}

// report notes progress: the tokens that it has more than the one before or, where it has none,
// that there was some.
func (p *Pulse) report(now lifecycle.Progress) {
	if now.Step != p.step {
		p.step, p.tokens = now.Step, 0
	}
	p.beat(now.At, max(1, now.OutputTokens-p.tokens))
	p.tokens = max(p.tokens, now.OutputTokens)
}

// Levels are the heights of these stretches, the newest last: 0 where nothing happened, else up
// to most, each twice as much work or more than the one below; none before the first sign of life.
// They are the same for a whole second, so that a picture of them does not flicker.
func (p *Pulse) Levels(now time.Time, most int) []int {
	if p == nil || p.newest == 0 {
		return nil
	}
	if at := now.Unix(); at != p.readAt {
		p.readAt, p.levels = at, p.measure(now, most)
	}
	return p.levels
}

func (p *Pulse) measure(now time.Time, most int) []int {
	p.clear(now.Unix() / int64(pulseCell/time.Second))
	levels := make([]int, 0, pulseCells)
	for n := p.newest - pulseCells + 1; n <= p.newest; n++ {
		level := bits.Len64(uint64(p.amounts[n%pulseCells]))
		if level > 0 {
			level = min(most, max(1, level-3)) // from 16 tokens on each level is twice the one below: 1,024 are the eighth
		}
		levels = append(levels, level)
	}
	return levels
}
