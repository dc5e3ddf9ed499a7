package stories

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// sessionsOf are the ids of the stage's sessions, the one that moved last first.
func sessionsOf(t *testing.T, s *harness.Stage) (ids []string) {
	t.Helper()
	out, errs, code := harness.Run(t, s.Dir, s.Env, "sessions")
	require.Zero(t, code, errs)
	for line := range strings.Lines(out) {
		ids = append(ids, strings.Fields(line)[0])
	}
	return ids
}

// A person goes on from an earlier prompt in a fork, while the session itself stays as it is.
func TestASessionIsForkedOnTheScreenAndBothGoOn(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), changesAll)
	put(t, s, "old.txt", "old\n")
	put(t, s, "edited.txt", "first\n")
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("change it all")
	x.See("All is changed.")
	x.Rest()
	x.Prompt("hello")
	x.See("Hello.")
	x.Rest()

	x.Prompt("/fork")
	x.See("Go on in a new session, from", "here", "before: hello", "before: change it all")
	x.Type("hello", harness.KeyEnter)
	x.See("forked; the session before stays", "forked from session", `before "hello"`, "All is changed.")
	x.SeeNot("Hello.")
	seeLine(x, "hello")
	database := openDatabase(t, s)
	require.Eventually(t, func() bool { // the line of before may have been kept, until a moment after it was sent
		var inFolder string // whose next session is another one
		err := database.QueryRow(`SELECT coalesce(max(value), '') FROM facts WHERE name = ?`, "draft:"+s.Dir).Scan(&inFolder)
		return err == nil && inFolder == ""
	}, modeltest.Patience, 10*time.Millisecond)
	x.Type(harness.KeyCtrlU)
	x.Prompt("now again")
	x.See("As you like.")
	x.Rest()
	asked := s.Server.Await(t, func(h modeltest.Request) bool { return h.Parent() && h.Asked("now again") })
	require.Contains(t, string(asked.Raw), "change it all")
	require.NotContains(t, string(asked.Raw), `"hello"`)
	ids := sessionsOf(t, s)
	require.Len(t, ids, 2)
	fork, original := ids[0], ids[1]
	require.NotContains(t, string(asked.Raw), original, "what the model was told of its subagents has the ids of the fork")

	x.Prompt("/fork 9")
	x.See("record 9 is no prompt: /fork lists them")
	x.Type(harness.KeyCtrlU)
	x.Prompt("/rewind")
	x.See("Take back to before", "now again", "change it all")
	x.Type("change", harness.KeyEnter)
	x.See("conversation and files", "[x] mine.txt")
	x.Type(harness.KeyEnter)
	x.See("taken back: change it all")
	seeLine(x, "change it all")
	require.Equal(t, "first\n", holds(t, s, "edited.txt"), "the fork has what was kept of the files")
	require.Equal(t, 0, x.Quit())

	out, errs, code := harness.Run(t, s.Dir, s.Env, "-p", "hello", "--session", original)
	require.Zero(t, code, errs)
	require.Contains(t, out, "Hello.")
	for _, id := range []string{fork, original} {
		out, errs, code = harness.Run(t, s.Dir, s.Env, "verify", id)
		require.Zero(t, code, "%s%s", out, errs)
	}
}

// What is at work when its session is forked goes on there, and is interrupted in the fork.
func TestASessionAtWorkIsForkedAndNotDisturbed(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Asked("hello"):
			return modeltest.Say("Hello.")
		case strings.Contains(string(h.Raw), "onward now"):
			return modeltest.Say("As you like.")
		}
		return modeltest.Say("I work. ").Until(hold)
	})
	x := s.Open(t)
	x.Prompt("hello")
	x.See("Hello.")
	x.Rest()
	x.Prompt("work on")
	x.See("I work.")
	x.Prompt("and the shop")
	x.See("and the shop")
	original := sessionsOf(t, s)[0]
	out, errs, code := harness.Run(t, s.Dir, s.Env, "fork")
	require.Zero(t, code, errs)
	fork := strings.TrimSpace(out)
	close(hold)
	x.Rest()

	y := s.Open(t, "--session", fork)
	y.See("forked from session "+original, "This was running when the session was forked")
	y.Prompt("onward now")
	y.See("As you like.")
	y.Rest()
	require.Equal(t, 0, y.Quit())

	x.Prompt("/fork")
	x.See("before: and the shop")
	x.Type("shop", harness.KeyEnter)
	x.See("forked; the session before stays", `before "and the shop"`)
	seeLine(x, "and the shop")
	x.Prompt(" with onward now")
	x.See("As you like.")
	x.Rest()
	taken := s.Server.Await(t, func(h modeltest.Request) bool { return strings.Contains(string(h.Raw), "with onward now") })
	require.Equal(t, 1, strings.Count(string(taken.Raw), "and the shop"))
	third := sessionsOf(t, s)[0]
	require.NotContains(t, []string{fork, original}, third)
	require.Equal(t, 0, x.Quit())
	for _, id := range []string{fork, original, third} {
		out, errs, code = harness.Run(t, s.Dir, s.Env, "verify", id)
		require.Zero(t, code, "%s%s", out, errs)
	}
	out, errs, code = harness.Run(t, s.Dir, s.Env, "show", original)
	require.Zero(t, code, errs)
	require.NotContains(t, out, "interrupted")
}
