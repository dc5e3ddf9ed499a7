package ui

import (
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

func TestPaceIsInThePlaceOfTheProgramsOwnClock(t *testing.T) {
	require.True(t, newPace().take(tea.NewProgram(nil)), "Bubble Tea keeps its clock elsewhere: see pace.take")
}

func TestPaceGivesSixtyFramesASecondAndAPersonsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		var at []time.Duration
		p := newPace()
		go p.run(t.Context(), func(tea.Msg) { at = append(at, time.Since(begin)) })
		storm := time.NewTicker(time.Millisecond)
		defer storm.Stop()
		for i := range 1000 {
			<-storm.C
			p.filter(nil, lifecycle.Updates{})
			if i == 500 {
				p.filter(nil, tea.KeyPressMsg{Code: 'a'})
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
		{"beside an answer", trickle, []time.Duration{trickle, 2 * trickle, 3 * trickle}},
		{"alone", time.Hour, []time.Duration{10*time.Millisecond + trickle, 10*time.Millisecond + beat + trickle}},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				var at []time.Duration
				p := newPace()
				go p.run(t.Context(), func(tea.Msg) { at = append(at, time.Since(begin)) })
				flow := time.NewTicker(row.others)
				defer flow.Stop()
				clock := time.NewTimer(10 * time.Millisecond)
				defer clock.Stop()
				for end := time.After(10*time.Millisecond + beat + trickle + time.Millisecond); end != nil; {
					select {
					case <-flow.C:
						p.filter(nil, lifecycle.Updates{})
					case <-clock.C:
						p.filter(nil, tick{})
						clock.Reset(beat)
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
