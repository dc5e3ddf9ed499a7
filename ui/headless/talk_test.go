package headless

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// talking runs a conversation over a pipe.
func talking(t *testing.T, s *logStage, out io.Writer) (say func(string), hangUp func(), code <-chan int) {
	t.Helper()
	in, to := io.Pipe()
	code = streaming(t, s, out, func(o *Options) { o.Prompt, o.Stream.Input = "", in })
	say = func(line string) {
		_, err := io.WriteString(to, line+"\n")
		require.NoError(t, err)
		synctest.Wait()
	}
	return say, func() { require.NoError(t, to.Close()) }, code
}

func TestAConversationGoesOnUntilItsInputEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out := newLogStage(), &bytes.Buffer{}
		say, hangUp, code := talking(t, s, out)
		s.heed = s.begins
		say(`{"type":"message","text":"go"}`)
		s.ends()
		synctest.Wait()
		say(`nonsense`)
		require.Equal(t, "opening spawned started ended idle", kinds(t, out.String()), "it is told once that nothing happens")
		require.Equal(t, 2, strings.Count(out.String(), `{"type":"reply",`))
		s.heed = func(lifecycle.Command) {
			s.happens("root", "p2", "", lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root"}}, lifecycle.Started{})
		}
		say(`{"type":"message","text":"go on"}`)
		hangUp()
		synctest.Wait()
		require.Empty(t, code, "what runs may finish")
		s.happens("root", "p2", "", lifecycle.Ended{State: lifecycle.StateCompletedEmpty})
		require.Equal(t, ExitFailed, <-code)
		require.Equal(t, []lifecycle.Command{lifecycle.Send{Session: "root", Text: "go"}, lifecycle.Send{Session: "root", Text: "go on"}}, s.done)
	})
}

func TestAQuestionThatNobodyCanAnswerAnyMoreIsDenied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out := newLogStage(), &bytes.Buffer{}
		say, hangUp, code := talking(t, s, out)
		s.heed = s.begins
		say(`{"type":"message","text":"go"}`)
		ask := func(id lifecycle.QuestionID) {
			s.happens("root", "p1", "", lifecycle.PermissionAsked{Question: lifecycle.Question{ID: id, Session: "root", Run: "p1", Tool: "shell"}})
			synctest.Wait()
		}
		ask("q1")
		require.Len(t, s.done, 1, "the other program may answer")
		hangUp()
		synctest.Wait()
		ask("q2")
		for i, id := range []lifecycle.QuestionID{"q1", "q2"} {
			denied := s.done[i+1].(lifecycle.Resolve)
			require.Equal(t, id, denied.Question)
			require.False(t, denied.Answer.Allow)
			require.Equal(t, lifecycle.DeciderNobody, denied.Answer.By)
			require.Contains(t, denied.Answer.Reason, "standard input has ended")
		}
		s.ends()
		require.Equal(t, ExitDone, <-code)
		require.Len(t, s.done, 3, "each is denied once")
	})
}

func TestASignalEndsAConversation(t *testing.T) {
	for name, row := range map[string]struct {
		said bool
		want string
	}{"that has begun": {true, "opening spawned started ended idle result"}, "that has not": {false, "opening"}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, out := newLogStage(), &bytes.Buffer{}
				signals := make(chan int, 1)
				in, to := io.Pipe()
				code := streaming(t, s, out, func(o *Options) { o.Prompt, o.Stream.Input, o.Signals = "", in, signals })
				if row.said {
					s.heed = s.begins
					_, err := io.WriteString(to, `{"type":"message","text":"go"}`+"\n")
					require.NoError(t, err)
					synctest.Wait()
					s.ends()
				}
				synctest.Wait()
				signals <- ExitSIGINT
				require.Equal(t, ExitSIGINT, <-code)
				require.Equal(t, row.want, kinds(t, out.String()))
				require.NoError(t, to.Close())
				synctest.Wait()
			})
		})
	}
}

func TestAnInputThatAsksForNothingIsAMistake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, out := newLogStage(), &bytes.Buffer{}
		o := Options{
			Route: s, Snapshot: lifecycle.Snapshot{Root: "root"}, Out: out, Errors: io.Discard,
			Stream: &Stream{Line: lineOf, Input: bytes.NewBufferString("nonsense\n\n")},
		}
		_, err := Run(t.Context(), o)
		require.ErrorIs(t, err, ErrNothingSaid)
		require.Equal(t, "opening", kinds(t, out.String()))
		require.Contains(t, out.String(), `"line":1,"ok":false`)
		require.Empty(t, s.done)
	})
}

// unmoved is a route on which there is nothing to stop.
type unmoved struct{ *logStage }

func (s unmoved) Do(_ context.Context, command lifecycle.Command) (lifecycle.Reply, error) {
	s.done = append(s.done, command)
	return lifecycle.Reply{}, nil
}

// Whatever a program says before it asks for anything, the end of its input is the end.
func TestAConversationThatBeganNothingEndsWithItsInput(t *testing.T) {
	old := []lifecycle.Run{{ID: "p0", Session: "root", State: lifecycle.StateCompleted, Result: "from before"}}
	for _, runs := range [][]lifecycle.Run{nil, old} {
		for _, line := range []string{`{"type":"stop","session":"all"}`, `{"type":"stop"}`, `{"type":"stop_foreground"}`, `{"type":"background"}`} {
			synctest.Test(t, func(t *testing.T) {
				s, out := newLogStage(), &bytes.Buffer{}
				o := Options{
					Route: unmoved{s}, Snapshot: lifecycle.Snapshot{Root: "root", Runs: runs}, Out: out, Errors: io.Discard,
					Stream: &Stream{Line: lineOf, Input: strings.NewReader(line + "\n")},
				}
				_, err := Run(t.Context(), o)
				require.ErrorIs(t, err, ErrNothingSaid, line)
				require.Equal(t, "opening", kinds(t, out.String()), "no result of an earlier prompt")
				require.Len(t, s.done, 1)
			})
		}
	}
}
