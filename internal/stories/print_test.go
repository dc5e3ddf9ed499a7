package stories

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestPrintWritesTheAnswerAloneAndExitsZero(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			require.True(t, h.Parent())
			return modeltest.Say("It adds ", "numbers.")
		})
		out, errs, code := harness.RunWith(t, "and this came in by a pipe\n", s.Dir, s.Env, s.Flags("-p", "what is this?")...)
		require.Equal(t, "It adds numbers.\n", out)
		require.Empty(t, errs)
		require.Equal(t, 0, code)
		h := s.Server.Await(t, modeltest.FromParent)
		require.Contains(t, h.Messages[0].Text, "what is this?")
		require.Contains(t, h.Messages[0].Text, "and this came in by a pipe")
		require.Contains(t, h.System, s.Dir)
	})
}

func TestPrintReadsTheFolderWithItsTools(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			if h.Answered("read") {
				return modeltest.Say("Add is in calc.go.")
			}
			return modeltest.Do(modeltest.Use("list", modeltest.Object{}), modeltest.Use("read", modeltest.Object{"path": "calc.go"}), modeltest.Use("grep", modeltest.Object{"pattern": "func Add"})).Saying("Looking.")
		})
		r, errs, code := s.Prompted(t, "-p", "where is Add?")
		require.Equal(t, 0, code, errs)
		require.Equal(t, "completed", r.Status)
		require.Equal(t, "Add is in calc.go.", r.Output)
		h := s.Server.AwaitNth(t, 2, modeltest.FromParent)
		require.Contains(t, h.ResultsOf("read")[0], "return a + b")
		require.Contains(t, h.ResultsOf("list")[0], "calc.go")
		require.Contains(t, h.ResultsOf("grep")[0], "calc.go")
	})
}

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

func TestPrintExitsThreeWhenASubagentEndsEmpty(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("say nothing"):
				return modeltest.Nothing()
			case h.Answered("agent"):
				return modeltest.Say("It said nothing.")
			}
			return modeltest.Do(modeltest.Delegate("stay silent", "say nothing at all"))
		})
		r, errs, code := s.Prompted(t, "-p", "delegate silence")
		require.Equal(t, 3, code, errs)
		require.Equal(t, "completed_empty", r.Subagents[0].Status)
		got := harness.Tellings(t, s.Server.Await(t, modeltest.ParentTold("agent")))
		require.Equal(t, "completed_empty", got[0].Status)
		require.NotEmpty(t, got[0].Output)

		asked := s.Server.All(modeltest.FromChild("say nothing"))
		require.Len(t, asked, 2, "one nudge, no more")
		require.True(t, asked[1].Asked("eport what you found"), "%s", asked[1])

		out, _, code := harness.Run(t, s.Dir, s.Env, s.Flags("-p", "delegate silence")...)
		require.Equal(t, 3, code)
		require.Equal(t, "It said nothing.\n", out)
	})
}

func TestPrintExitsOneWhenTheParentEndsEmptyOrFails(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		for name, c := range map[string]struct {
			answer modeltest.Reply
			status string
			kind   string
		}{
			"empty":     {modeltest.Nothing(), "completed_empty", ""},
			"refused":   {modeltest.Reply{Text: []string{"No."}, Stop: "refused"}, "failed", "refused"},
			"truncated": {modeltest.Reply{Text: []string{"It begins with"}, Stop: "length"}, "failed", "truncated"},
			"no access": {modeltest.Fault(403, "this key may not use the model"), "failed", "auth"},
		} {
			s := harness.NewStage(t, p, func(modeltest.Request) modeltest.Reply { return c.answer })
			r, errs, code := s.Prompted(t, "-p", "go")
			require.Equal(t, 1, code, "%s: %s", name, errs)
			require.Equal(t, c.status, r.Status, name)
			if c.kind != "" {
				require.NotNil(t, r.Error, name)
				require.Equal(t, c.kind, r.Error.Kind, name)
			}
			require.Len(t, s.Server.All(modeltest.FromParent), 1, name)
		}
	})
}

func TestPrintTriesAgainAfterARateLimit(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		times := 0
		s := harness.NewStage(t, p, func(modeltest.Request) modeltest.Reply {
			if times++; times == 1 {
				return modeltest.Reply{Status: 429, Message: "slow down", RetryAfter: "1"}
			}
			return modeltest.Say("Here I am.")
		})
		out, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("-p", "go")...)
		require.Equal(t, 0, code, errs)
		require.Equal(t, "Here I am.\n", out)
		require.Len(t, s.Server.All(modeltest.FromParent), 2, "one try more, whoever counts them")
	})
}

func TestPrintNamesAWrongKeyInOneLine(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
		s.With("ANTHROPIC_API_KEY=sk-wrong-0001", "OPENAI_API_KEY=sk-wrong-0001", "GEMINI_API_KEY=sk-wrong-0001")
		out, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("-p", "go")...)
		require.Equal(t, 1, code)
		require.Empty(t, out)
		harness.RequireOneLine(t, errs)
		require.Contains(t, errs, "API key: ")
		require.NotContains(t, errs, "sk-wrong-0001")
	})
}

func TestPrintDeniesAShellQuestionThatNobodyCanAnswer(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		script := func(h modeltest.Request) modeltest.Reply {
			if h.Answered("shell") {
				return modeltest.Say("done")
			}
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo ran > made.txt"}))
		}
		s := harness.NewStage(t, p, script)
		_, errs, code := s.Prompted(t, "-p", "run it")
		require.Equal(t, 0, code, errs)
		require.NoFileExists(t, s.Dir+"/made.txt")
		require.Contains(t, s.Server.Await(t, modeltest.ParentTold("shell")).ResultsOf("shell")[0], "Denied")

		s = harness.NewStage(t, p, script)
		_, errs, code = s.Prompted(t, "--permission-mode", "bypass", "-p", "run it")
		require.Equal(t, 0, code, errs)
		require.FileExists(t, s.Dir+"/made.txt")
	})
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
