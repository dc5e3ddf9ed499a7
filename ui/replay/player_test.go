package replay

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

var noon = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

// logAt is a log with a record at each of these times after noon; those at ends are ends
// of runs.
func logAt(times []time.Duration, ends ...int) []lifecycle.Record {
	var log []lifecycle.Record
	for i, at := range times {
		log = append(log, lifecycle.Record{Seq: lifecycle.Seq(i + 1), Time: noon.Add(at), Event: lifecycle.Text{Text: "a"}})
	}
	for _, i := range ends {
		log[i-1].Event = lifecycle.Ended{State: lifecycle.StateCompleted}
	}
	return log
}

// audience is who watches a replay in a bubble, and what they had seen when they last
// looked.
type audience struct {
	player *Player
	sight
	ended chan error

	mu  sync.Mutex
	now sight
}

// sight is what was shown of a replay since the beginning, and when.
type sight struct {
	shown  []lifecycle.Seq
	at     []time.Duration // since the replay began
	state  State
	agains int
}

// take takes a frame in.
func (a *audience) take(f Frame, at time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if f.Again {
		a.now = sight{agains: a.now.agains + 1}
	}
	for _, rec := range f.Records {
		a.now.shown, a.now.at = append(a.now.shown, rec.Seq), append(a.now.at, at)
	}
	a.now.state = f.State
}

// look waits until nothing moves.
func (a *audience) look() {
	synctest.Wait()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sight = sight{slices.Clone(a.now.shown), slices.Clone(a.now.at), a.now.state, a.now.agains}
}

// watch plays a log until the test ends.
func watch(t *testing.T, log []lifecycle.Record, change func(*Options)) *audience {
	t.Helper()
	options := Options{
		Records: func(_ context.Context, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
			rest := log[after:]
			return rest[:min(limit, len(rest), 3)], nil // pages may be short
		},
		Upto: lifecycle.Seq(len(log)), First: log[0].Time, Last: log[len(log)-1].Time,
	}
	if change != nil {
		change(&options)
	}
	a := &audience{player: New(options), ended: make(chan error, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	began := time.Now()
	go func() {
		a.ended <- a.player.Run(ctx, func(f Frame) { a.take(f, time.Since(began)) })
	}()
	t.Cleanup(func() { cancel(); synctest.Wait() })
	a.look()
	return a
}

// after lets time pass, and gives orders.
func (a *audience) after(d time.Duration, orders ...Order) {
	<-time.After(d) // of the bubble: it takes none
	for _, o := range orders {
		a.player.Do(o)
		synctest.Wait()
	}
	a.look()
}

const (
	s  = time.Second
	ms = time.Millisecond
)

func seqs(n int) []lifecycle.Seq {
	var all []lifecycle.Seq
	for i := range n {
		all = append(all, lifecycle.Seq(i+1))
	}
	return all
}

func TestRecordsComeInTheirTimeOverTheSpeed(t *testing.T) {
	for speed, want := range map[float64][]time.Duration{
		0: {0, 1 * s, 3 * s, 3 * s, 4 * s}, 2: {0, 500 * ms, 1500 * ms, 1500 * ms, 2 * s}, 0.5: {0, 2 * s, 6 * s, 6 * s, 8 * s},
	} {
		synctest.Test(t, func(t *testing.T) {
			a := watch(t, logAt([]time.Duration{0, 1 * s, 3 * s, 3 * s, 4 * s}), func(o *Options) { o.Speed = speed })
			a.after(time.Minute)
			require.Equal(t, want, a.at)
			require.True(t, a.state.Over())
			require.False(t, a.state.Moving())
			require.Equal(t, noon.Add(4*s), a.player.Now())
		})
	}
}

func TestALongSilenceIsCutUnlessItIsWanted(t *testing.T) {
	log := logAt([]time.Duration{0, time.Hour, time.Hour + s})
	synctest.Test(t, func(t *testing.T) {
		a := watch(t, log, nil)
		require.Equal(t, time.Hour, a.state.Silence)
		a.after(Silence / 2)
		require.Equal(t, noon.Add(30*time.Minute), a.player.Now(), "time runs through it evenly")
		a.after(time.Minute)
		require.Equal(t, []time.Duration{0, Silence, Silence + s}, a.at)
		require.Zero(t, a.state.Silence)
	})
	synctest.Test(t, func(t *testing.T) {
		a := watch(t, log, func(o *Options) { o.Whole = true })
		require.Zero(t, a.state.Silence)
		a.after(2 * time.Hour)
		require.Equal(t, []time.Duration{0, time.Hour, time.Hour + s}, a.at)
	})
	synctest.Test(t, func(t *testing.T) { // what is held in the middle of it does not begin it again
		a := watch(t, log, nil)
		a.after(4*s, Turn)
		require.True(t, a.state.Paused)
		a.after(time.Hour, Turn)
		a.after(s)
		require.Equal(t, []time.Duration{0, time.Hour + Silence}, a.at)
	})
}

func TestOneThatIsHeldStandsStillAndStepsRecordByRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := watch(t, logAt([]time.Duration{0, 2 * s, 4 * s, 6 * s}), nil)
		a.after(s, Turn)
		require.Equal(t, noon.Add(s), a.player.Now())
		a.after(time.Hour)
		require.Equal(t, noon.Add(s), a.player.Now())
		require.Equal(t, seqs(1), a.shown)
		a.after(0, Step)
		require.Equal(t, seqs(2), a.shown)
		require.Equal(t, noon.Add(2*s), a.player.Now())
		a.after(0, Step, Step, Step, Step)
		require.Equal(t, seqs(4), a.shown, "past the end is nothing")
		a.after(0, StepBack)
		require.Equal(t, seqs(3), a.shown)
		require.Equal(t, 1, a.agains)
		require.True(t, a.state.Paused)
		a.after(0, Turn)
		a.after(2 * s)
		require.Equal(t, seqs(4), a.shown)
	})
}

func TestAJumpGoesToTheNextEndOfARunAndBackToTheOneBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		times := make([]time.Duration, 12)
		for i := range times {
			times[i] = time.Duration(i) * time.Minute
		}
		a := watch(t, logAt(times, 5, 9), nil)
		a.after(0, Turn)
		for _, want := range []struct {
			order Order
			seq   int
		}{
			{NextEnd, 5}, {NextEnd, 9}, {LastEnd, 5}, {LastEnd, 0}, {End, 12}, {LastEnd, 9}, {Start, 0}, {NextEnd, 5}, {NextEnd, 9}, {NextEnd, 12},
		} {
			a.after(0, want.order)
			require.Equal(t, seqs(want.seq), a.shown, want.order)
			require.False(t, a.state.Leaping)
			require.Equal(t, noon.Add(time.Duration(max(0, want.seq-1))*time.Minute), a.player.Now(), want.order)
		}
		a.after(0, Turn)
		require.False(t, a.state.Over(), "at the end it begins again")
		require.False(t, a.state.Paused)
	})
}

func TestTheSpeedChangesWithinItsBoundsAndLosesNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := watch(t, logAt([]time.Duration{0, 4 * s}), nil)
		a.after(s, Faster) // a quarter of it has passed
		require.Equal(t, noon.Add(s), a.player.Now())
		a.after(1499 * ms)
		require.Equal(t, seqs(1), a.shown)
		a.after(ms)
		require.Equal(t, []time.Duration{0, 2500 * ms}, a.at)
		for range 20 {
			a.after(0, Faster)
		}
		require.InDelta(t, Fastest, a.state.Speed, 0)
		for range 20 {
			a.after(0, Slower)
		}
		require.InDelta(t, Slowest, a.state.Speed, 0)
	})
}

// A screen that was suspended for an hour takes no frame meanwhile, and goes on where that began.
func TestTimeInWhichNobodyCouldPlayIsNotCaughtUpWith(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := logAt([]time.Duration{0, 2 * s, 4 * s, 6 * s, 8 * s})
		busy := make(chan struct{})
		p := New(Options{
			Records: func(_ context.Context, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
				return log[after:min(int(after)+limit, len(log))], nil
			},
			Upto: 5, First: noon, Last: noon.Add(8 * s),
		})
		shown := make(chan lifecycle.Seq, 10)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			_ = p.Run(ctx, func(f Frame) {
				shown <- f.State.Seq
				if f.State.Seq == 2 {
					<-busy
				}
			})
		}()
		require.Equal(t, lifecycle.Seq(1), <-shown)
		require.Equal(t, lifecycle.Seq(2), <-shown)
		<-time.After(time.Hour)
		close(busy)
		require.Equal(t, lifecycle.Seq(3), <-shown)
		gone := time.Now()
		require.Equal(t, lifecycle.Seq(4), <-shown)
		require.Equal(t, s, time.Since(gone))
		cancel()
		synctest.Wait()
	})
}

// A clock that was put back neither stops a replay nor turns its time round.
func TestTimeThatWasPutBackDoesNotGoBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := watch(t, logAt([]time.Duration{2 * s, 0, 3 * s}), nil)
		require.Equal(t, seqs(2), a.shown)
		require.Equal(t, noon.Add(2*s), a.player.Now())
		a.after(s)
		require.Equal(t, seqs(3), a.shown)
	})
}

// Whatever is ordered, what is shown since the beginning is the log, none missing and
// none twice.
func TestNoOrderLosesARecord(t *testing.T) {
	orders := []Order{Turn, Step, StepBack, NextEnd, LastEnd, Faster, Slower, Start, End}
	for seed := range uint64(30) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			var times []time.Duration
			var ends []int
			at := time.Duration(0)
			for i := range 40 {
				at += time.Duration(r.ExpFloat64() * float64(2*s))
				times = append(times, at)
				if r.IntN(6) == 0 {
					ends = append(ends, i+1)
				}
			}
			a := watch(t, logAt(times, ends...), nil)
			for range 60 {
				a.after(time.Duration(r.Int64N(int64(3*s))), orders[r.IntN(len(orders))])
				require.Equal(t, seqs(int(a.state.Seq)), a.shown)
				require.False(t, a.player.Now().Before(noon.Add(times[max(0, int(a.state.Seq)-1)])) && a.state.Seq > 0)
			}
			a.after(0, End)
			require.Equal(t, seqs(40), a.shown)
		})
	}
}

func TestARecordingThatCannotBeReadEndsTheReplayWithTheReason(t *testing.T) {
	for want, records := range map[string]func(context.Context, lifecycle.Seq, int) ([]lifecycle.Record, error){
		"read the recording: record 1 is missing": func(context.Context, lifecycle.Seq, int) ([]lifecycle.Record, error) { return nil, nil },
		"read the recording after record 0: cut": func(context.Context, lifecycle.Seq, int) ([]lifecycle.Record, error) {
			return nil, errors.New("cut")
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			a := watch(t, logAt([]time.Duration{0}), func(o *Options) { o.Records = records })
			require.EqualError(t, <-a.ended, want)
		})
	}
}
