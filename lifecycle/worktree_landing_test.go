package lifecycle

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// saidByPawl are the lines of Pawl in the transcript of the root.
func (st *stage) saidByPawl() (lines []string) {
	for _, entry := range st.journal.entries {
		var said Said
		if entry.Session == root && entry.Kind == EntryUser && json.Unmarshal(entry.Body, &said) == nil && said.From == FromPawl {
			lines = append(lines, said.Text)
		}
	}
	return lines
}

func landedFile() Landed {
	return Landed{Operation: "o1", Folder: "/src", Worktree: "/trees/1", Files: []FileChange{{Path: "a.go", After: FileState{Kind: FileRegular, Hash: "00"}}}}
}

func TestALandingStandsOnTheNewestRunOfItsSubagentAndAnIdleParentIsToldAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.close()
		st.on("go", launching("build"))
		st.say("go")
		synctest.Wait()
		child := st.child("build")
		require.NoError(t, st.s.RecordLanded(t.Context(), child.Session, landedFile(), "It has landed."))
		require.Equal(t, 1, st.child("build").Landing.Files)
		require.Equal(t, []string{"It has landed."}, st.saidByPawl())
		require.ErrorIs(t, st.s.RecordLanded(t.Context(), "nobody", landedFile(), ""), ErrUnknown)
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, st.s.RecordLanded(gone, child.Session, landedFile(), ""), context.Canceled)
	})
}

func TestAParentAtWorkIsToldOfALandingAtItsNextStepOrItsEndAndNeverBetweenACallAndItsResult(t *testing.T) {
	for name, steps := range map[string]int{"at its next step": 1, "at its end": 0} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := newStage(t)
				defer st.close()
				landed := make(chan struct{})
				st.on("go", func(ctx context.Context, port *Port) Outcome {
					out := launching("build")(ctx, port)
					if err := port.Record(nil, ToolStarted{Call: "c1", Tool: "shell"}); err != nil {
						return Outcome{Err: err}
					}
					<-landed
					require.Empty(t, st.saidByPawl(), "a call is open")
					if err := answer(port, "c1"); err != nil {
						return Outcome{Err: err}
					}
					for range steps {
						require.Equal(t, []string{"It has landed."}, toldAtStep(t, port))
						require.Empty(t, toldAtStep(t, port), "a second time")
					}
					return out
				})
				st.say("go")
				synctest.Wait()
				require.NoError(t, st.s.RecordLanded(t.Context(), st.child("build").Session, landedFile(), "It has landed."))
				close(landed)
				synctest.Wait()
				require.Equal(t, []string{"It has landed."}, st.saidByPawl())
			})
		})
	}
}

func TestALandingThatAParentHadNotBeenToldOfWhenPawlDiedIsToldAtTheNextStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			launching("build")(ctx, port)
			return untilStopped(ctx, port)
		})
		st.say("go")
		synctest.Wait()
		child := st.child("build").Session
		require.NoError(t, st.s.RecordLanded(t.Context(), child, landedFile(), "It has landed."))
		require.NoError(t, st.s.RecordRewound(t.Context(), root, Rewound{Operation: "o2", To: 1, Only: child}, 0, "It was taken back."))
		require.Empty(t, st.saidByPawl())
		for range 2 {
			st.crash()
			st.open()
			require.Equal(t, []string{"It has landed.", "It was taken back."}, st.saidByPawl())
		}
		st.close()
	})
}
