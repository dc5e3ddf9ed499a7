package stories

import (
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// askedOnce is a stage with one session, which nobody drives any more.
func askedOnce(t *testing.T) (s *harness.Stage, session string) {
	t.Helper()
	s = harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Here I am.") })
	r, errs, code := s.Prompted(t, "-p", "are you there?")
	require.Equal(t, 0, code, errs)
	return s, r.Session
}

func TestTheFleetDoesNotLeaveForASessionWhoseFolderIsGone(t *testing.T) {
	t.Parallel()
	s, session := askedOnce(t)
	require.NoError(t, os.RemoveAll(s.Dir))
	x := harness.Start(t, s.Home, s.Env, "fleet", session)
	x.See("are you there?")
	x.Type(harness.KeyEnter)
	x.See("its folder", "reads") // where the line breaks depends on the folder's name
	x.Type("q")
	require.Equal(t, 0, x.Wait())
	require.NotContains(t, x.Raw(), "no such file")
}

func TestTheFleetRefusesASessionThatThereIsNot(t *testing.T) {
	t.Parallel()
	s, session := askedOnce(t)
	x := harness.Start(t, s.Dir, s.Env, "fleet", "nobody's")
	require.Equal(t, 2, x.Wait())
	require.Contains(t, x.Raw(), `no session "nobody's": the nearest is `+session)
}

func TestATerminalThatIsClosedOnTheFleetLeavesItsDrafts(t *testing.T) {
	t.Parallel()
	s, session := askedOnce(t)
	kept := func(text string) {
		t.Helper()
		database := openDatabase(t, s)
		require.Eventually(t, func() bool {
			var all string
			err := database.QueryRow(`SELECT value FROM facts WHERE name = 'drafts'`).Scan(&all)
			return err == nil && all == `{"`+session+`":"`+text+`"}`
		}, modeltest.Patience, 20*time.Millisecond)
	}
	first := harness.Start(t, s.Dir, s.Env, "fleet")
	first.See("are you there?")
	first.Type("half a thought")
	first.See("half a thought")
	first.Type(harness.KeyEsc)
	first.See("kept: m goes on with it")
	first.Type("q")
	require.Equal(t, 0, first.Wait())
	kept("half a thought")

	closed := harness.Start(t, s.Dir, s.Env, "fleet")
	closed.See("are you there?")
	closed.Type(", and the rest")
	closed.See("half a thought, and the rest")
	closed.Vanish()
	closed.AwaitEnd()
	kept("half a thought, and the rest")
}

func TestASessionWhoseProcessDiedAtWorkIsInterruptedAndUnread(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply {
		return modeltest.Say("I have just begun").Until(make(chan struct{}))
	})
	detached(t, s, "dig")
	s.Server.Await(t, modeltest.FromParent)
	x := harness.Start(t, s.Dir, s.Env, "fleet")
	x.See("works 1", "dig")
	require.NoError(t, syscall.Kill(openSessions(t, s)[0].PID, syscall.SIGKILL))
	x.See("ended, unread 1", "interrupted")
	x.Type("q")
	require.Equal(t, 0, x.Wait())
	x = harness.Start(t, s.Dir, s.Env, "fleet") // as after the next start of the machine
	x.See("ended, unread 1", "interrupted")
	x.Type("q")
	require.Equal(t, 0, x.Wait())
	x = s.Open(t)
	x.Type("/sessions", harness.KeyEnter)
	x.See("dig", "interrupted")
	x.Type(harness.KeyEsc)
	x.SeeNot("Sessions here")
	require.Equal(t, 0, x.Quit())
}

func TestWhatWasTypedInTheFleetIsInTheLineOfASessionThatAnotherScreenShowsToo(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Here I am.") })
	first := s.Open(t)
	first.Prompt("are you there?")
	first.See("Here I am.")
	first.Rest()
	x := harness.Start(t, s.Dir, s.Env, "fleet")
	x.See("are you there?")
	x.Type("also check the refunds")
	x.See("also check the refunds")
	x.Type(harness.KeyEsc)
	x.See("kept: m goes on with it")
	x.Type(harness.KeyEnter)
	x.See("Here I am.", "also check the refunds")
	first.Type("mine") // which keeps the lines of both
	x.Type(harness.KeyCtrlBackslash)
	require.Equal(t, 0, x.Wait())
	x = harness.Start(t, s.Dir, s.Env, "attach")
	x.See("Here I am.", "also check the refunds")
	x.Type(harness.KeyCtrlU)
	x.SeeNot("also check the refunds")
	require.Equal(t, 0, x.Quit())
	first.See("mine")
	first.SeeNot("also check the refunds")
	first.Type(harness.KeyCtrlU)
	require.Equal(t, 0, first.Quit())
}
