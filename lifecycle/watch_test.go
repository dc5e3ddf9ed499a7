package lifecycle

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestASlowWatcherMissesNothingThatWasTrimmed(t *testing.T) {
	for _, from := range []Seq{0, 2, 700} {
		synctest.Test(t, func(t *testing.T) {
			st := newStage(t)
			defer st.close()
			next, slow := make(chan struct{}), make(chan struct{})
			st.on("go", func(_ context.Context, port *Port) Outcome {
				thousand := slices.Repeat([]Event{Thinking{"hm"}}, 1000)
				for range 3 * trailKept / 1000 {
					<-next
					if err := port.Record(nil, thousand...); err != nil {
						return Outcome{Err: err}
					}
				}
				return Outcome{Text: "ok"}
			})
			st.say("go")
			var got []Seq
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go func() {
				_ = st.s.Watch(ctx, root, from, func(u Updates) {
					for _, rec := range u.Records {
						got = append(got, rec.Seq)
					}
					if len(got) > 1000 && len(got) < 3000 {
						<-slow // the trail is trimmed meanwhile
					}
				})
			}()
			for i := range 3 * trailKept / 1000 {
				if i == 3*trailKept/1000-2 {
					close(slow)
				}
				next <- struct{}{}
				synctest.Wait()
			}
			require.Len(t, got, len(st.journal.records)-int(from))
			for i, seq := range got {
				require.Equal(t, from+Seq(i+1), seq)
			}
		})
	}
}

func TestALateWatcherGetsAllWithoutGapOrRepeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.close()
		st.on("go", launching("a", "b", "c"))
		st.say("go")
		synctest.Wait()
		var got []Seq
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() {
			_ = st.s.Watch(ctx, root, 0, func(u Updates) {
				for _, rec := range u.Records {
					got = append(got, rec.Seq)
				}
			})
		}()
		synctest.Wait()
		st.say("more")
		synctest.Wait()
		require.Len(t, got, len(st.journal.records))
		for i, seq := range got {
			require.Equal(t, Seq(i+1), seq)
		}
	})
}
