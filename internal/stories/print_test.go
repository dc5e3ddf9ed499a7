package stories

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestPrintGivesAForegroundSubagentToCompleted(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("count the functions"):
				return modeltest.Say("There is one ", "function: Add.")
			case h.Answered("agent"):
				return modeltest.Say("One function, says the subagent.")
			}
			return modeltest.Do(modeltest.Delegate("count functions", "count the functions of calc.go"))
		})
		r, errs, code := s.Prompted(t, "-p", "delegate the counting")
		require.Equal(t, 0, code, errs)
		require.Equal(t, "One function, says the subagent.", r.Output)
		require.Len(t, r.Subagents, 1)
		require.Equal(t, "completed", r.Subagents[0].Status)
		got := harness.Tellings(t, s.Server.Await(t, modeltest.ParentTold("agent")))
		require.Len(t, got, 1)
		require.Equal(t, "completed", got[0].Status)
		require.Equal(t, "There is one function: Add.", got[0].Output)
		require.False(t, got[0].Partial)
		require.Equal(t, r.Subagents[0].Agent, got[0].Agent)
		child := s.Server.Await(t, modeltest.FromChild("count the functions"))
		require.NotContains(t, child.Tools, "task", "a subagent must not delegate")
		require.Contains(t, child.Tools, "read")
	})
}

func TestPrintDrainsBackgroundSubagents(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		release := make(chan struct{})
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("look at one"), h.Child("look at two"):
				return modeltest.Say("Found it.").Until(release)
			case len(h.Notices()) > 0:
				return modeltest.Say("Both are back.")
			case h.Answered("agent"):
				close(release)
				return modeltest.Say("They are on their way.")
			}
			return modeltest.Do(modeltest.Launch("first look", "look at one"), modeltest.Launch("second look", "look at two"))
		})
		r, errs, code := s.Prompted(t, "-p", "send two")
		require.Equal(t, 0, code, errs)
		require.Equal(t, "Both are back.", r.Output)
		require.Len(t, r.Subagents, 2)
		for _, sub := range r.Subagents {
			require.Equal(t, "completed", sub.Status)
			require.Equal(t, "Found it.", sub.Output)
		}
		for _, one := range harness.Tellings(t, s.Server.Await(t, modeltest.ParentTold("agent"))) {
			require.Equal(t, "running", one.Status)
		}
		requireEachNoticeOnce(t, s.Server, "first look", "second look")
	})
}

// requireEachNoticeOnce holds the last history of the parent to one notification
// for each description.
func requireEachNoticeOnce(t *testing.T, server *modeltest.Server, descriptions ...string) {
	t.Helper()
	histories := server.All(modeltest.FromParent)
	notices := histories[len(histories)-1].Notices()
	require.Len(t, notices, len(descriptions))
	for _, description := range descriptions {
		require.Equal(t, 1, strings.Count(strings.Join(notices, ""), description), "%s in %q", description, notices)
	}
}

func TestAModelThatStopsForAnUnknownReasonHasItsWholeCallsMade(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			if h.Answered("list") {
				return modeltest.Say("There it is.")
			}
			strange := modeltest.Do(modeltest.Use("list", modeltest.Object{"path": "."})).Saying("I look.")
			strange.Stop = "strange"
			return strange
		})
		out, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("-p", "look")...)
		require.Equal(t, 0, code, errs)
		require.Equal(t, "There it is.\n", out)
		harness.RequireOneLine(t, errs)
		require.Contains(t, strings.ToLower(errs), "something_new")
	})
}

func TestAnErrorOfAnOpenAIServerSaysWhichServerSpeaks(t *testing.T) {
	for _, p := range []modeltest.Protocol{modeltest.Responses(), modeltest.Chat()} {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			s := harness.NewStage(t, p, func(modeltest.Request) modeltest.Reply { return modeltest.Fault(http.StatusNotFound, "no such model") })
			_, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("-p", "go")...)
			require.Equal(t, 1, code)
			require.Contains(t, errs, "the server at "+strings.TrimPrefix(s.Server.URL, "http://")+": no such model")
		})
	}
}
