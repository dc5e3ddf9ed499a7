package fleet

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// aThousand are sessions of which fifty have hosts.
func aThousand() Picture {
	p := Picture{DayCost: 3, DayLimit: 20}
	for i := range 1000 {
		s := Session{
			ID: lifecycle.SessionID(fmt.Sprintf("0198a1c2-7f00-7000-8000-%012x", i)), Title: fmt.Sprintf("compare the ledgers of the year %d", i),
			Folder: fmt.Sprintf("~/src/shop-%d", i%40), Workspace: fmt.Sprintf("/home/ada/src/shop-%d", i%40), Need: Recent,
			Activity: "They agree, but for the month of may: there the refunds of two days are missing.", State: lifecycle.StateCompleted,
			Since: epoch.Add(-time.Duration(i) * time.Hour), CostUSD: float64(i) / 100, Tokens: int64(i) * 1000, Denied: i % 7,
		}
		switch {
		case i < 10:
			s.Need, s.State, s.Question = NeedsYou, lifecycle.StateRunning, &lifecycle.Question{ID: lifecycle.QuestionID(fmt.Sprint(i)), Tool: "shell", Subject: "git push origin main"}
		case i < 50:
			s.Need, s.State, s.Activity = Works, lifecycle.StateRunning, "shell go test ./..."
		case i < 90:
			s.Need = Unread
		}
		if s.Hosted = i < 50; s.Hosted {
			s.Subagents, s.Running, s.Slots = 3, 3, 5
		}
		p.Sessions = append(p.Sessions, s)
	}
	return p
}

var benchSizes = [][2]int{{80, 24}, {120, 40}, {200, 60}}

// BenchmarkFirstFrameOf1000Sessions is a picture that comes, and the screen that shows it.
func BenchmarkFirstFrameOf1000Sessions(b *testing.B) {
	p := aThousand()
	for _, size := range benchSizes {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s := newScreen(size[0], size[1], func(_ *Options, term *terminal.Features) { term.Colour = true })
				s.send(p)
				s.View()
			}
		})
	}
}

// BenchmarkAChangeOfOneOf1000Sessions is a picture in which one session does something else.
func BenchmarkAChangeOfOneOf1000Sessions(b *testing.B) {
	for _, size := range benchSizes {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			p := aThousand()
			s := newScreen(size[0], size[1], func(_ *Options, term *terminal.Features) { term.Colour = true })
			s.send(p)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				p.Sessions[20].Tokens = int64(i)
				s.Update(p)
				s.View()
			}
		})
	}
}

// BenchmarkMovingThrough1000Sessions is a key and the picture after it.
func BenchmarkMovingThrough1000Sessions(b *testing.B) {
	s := newScreen(200, 60, func(o *Options, term *terminal.Features) { term.Colour, o.Peek = true, nil })
	s.send(aThousand())
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Update(key([]string{"down", "up"}[i/999%2]))
		s.View()
	}
}

// Only what is in sight is drawn: a picture of 1,000 sessions has no more text than one of a
// hundred.
func TestOnlyTheLinesInSightAreDrawn(t *testing.T) {
	s := newScreen(120, 40)
	s.send(aThousand())
	require.Contains(t, s.text(), "1 of 1000")
	few := newScreen(120, 40)
	p := aThousand()
	p.Sessions = p.Sessions[:100]
	few.send(p)
	draws := func(s *screen) float64 {
		return testing.AllocsPerRun(10, func() { s.changed(); s.View() })
	}
	require.InEpsilon(t, draws(few), draws(s), 0.1)
}
