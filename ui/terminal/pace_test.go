package terminal

import (
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

func TestPaceIsInThePlaceOfTheProgramsOwnClock(t *testing.T) {
	require.True(t, NewPace(nil).Take(tea.NewProgram(nil)), "Bubble Tea keeps its clock elsewhere: see pace.take")
}

func TestPaceGivesSixtyFramesASecondAndAPersonsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		var at []time.Duration
		p := NewPace(nil)
		go p.Run(t.Context(), func(tea.Msg) { at = append(at, time.Since(begin)) })
		storm := time.NewTicker(time.Millisecond)
		defer storm.Stop()
		for i := range 1000 {
			<-storm.C
			p.Filter(nil, lifecycle.Updates{})
			if i == 500 {
				p.Filter(nil, tea.KeyPressMsg{Code: 'a'})
			}
			synctest.Wait()
			select {
			case <-p.beat:
			default:
			}
		}
		require.LessOrEqual(t, len(at), 61, "a second's frames, and the one that a person may have before its time")
		require.GreaterOrEqual(t, len(at), 58)
		require.Contains(t, at, 501*time.Millisecond, "the key did not wait")
	})
}

// What moves by the clock has no frame of its own where others come, and one within
// trickle where none do.
func TestTheClockGoesAlongWithOtherFrames(t *testing.T) {
	for _, row := range []struct {
		name   string
		others time.Duration // between two of them
		want   []time.Duration
	}{
		{"beside an answer", Trickle, []time.Duration{Trickle, 2 * Trickle, 3 * Trickle}},
		{"alone", time.Hour, []time.Duration{10*time.Millisecond + Trickle, 10*time.Millisecond + Beat + Trickle}},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				var at []time.Duration
				p := NewPace(nil)
				go p.Run(t.Context(), func(tea.Msg) { at = append(at, time.Since(begin)) })
				flow := time.NewTicker(row.others)
				defer flow.Stop()
				clock := time.NewTimer(10 * time.Millisecond)
				defer clock.Stop()
				for end := time.After(10*time.Millisecond + Beat + Trickle + time.Millisecond); end != nil; {
					select {
					case <-flow.C:
						p.Filter(nil, lifecycle.Updates{})
					case <-clock.C:
						p.Filter(nil, Tick{})
						clock.Reset(Beat)
					case <-end:
						end = nil
					}
					synctest.Wait()
					select {
					case <-p.beat:
					default:
					}
				}
				synctest.Wait()
				require.Equal(t, row.want, at)
			})
		})
	}
}
