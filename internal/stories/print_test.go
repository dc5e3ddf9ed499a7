package stories

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// told is what a tool of delegation tells the parent's model.
type told struct {
	Agent   string `json:"agent_id"`
	Run     string `json:"run_id"`
	Status  string
	Cause   string
	Output  string
	Partial bool `json:"output_is_partial"`
	Warning string
	Message string
	Error   struct{ Kind, Message string }
	Events  []struct{ Event string }
	Last    int64                         `json:"last_record"`
	Place   int                           `json:"position"`
	Lines   []struct{ Role, Text string } `json:"transcript"`
}

// tellings reads the results of the agent tool that came with a request.
func tellings(t *testing.T, h heard) []told {
	t.Helper()
	var list []told
	for _, text := range h.resultsOf("agent") {
		var one told
		require.NoError(t, json.Unmarshal([]byte(text), &one), text)
		require.NotEmpty(t, one.Agent, text)
		require.NotEmpty(t, one.Run, text)
		require.NotEmpty(t, one.Output+one.Message, text)
		list = append(list, one)
	}
	return list
}

func TestPrintWritesTheAnswerAloneAndExitsZero(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			require.True(t, h.parent())
			return say("It adds ", "numbers.")
		})
		out, errs, code := runWith(t, "and this came in by a pipe\n", s.dir, s.env, s.flags("-p", "what is this?")...)
		require.Equal(t, "It adds numbers.\n", out)
		require.Empty(t, errs)
		require.Equal(t, 0, code)
		h := s.server.await(t, fromParent)
		require.Contains(t, h.messages[0].text, "what is this?")
		require.Contains(t, h.messages[0].text, "and this came in by a pipe")
		require.Contains(t, h.system, s.dir)
	})
}

func TestPrintReadsTheFolderWithItsTools(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			if h.answered("read") {
				return say("Add is in calc.go.")
			}
			return do(use("list", object{}), use("read", object{"path": "calc.go"}), use("grep", object{"pattern": "func Add"})).saying("Looking.")
		})
		r, errs, code := s.prompted(t, "-p", "where is Add?")
		require.Equal(t, 0, code, errs)
		require.Equal(t, "completed", r.Status)
		require.Equal(t, "Add is in calc.go.", r.Output)
		h := s.server.awaitNth(t, 2, fromParent)
		require.Contains(t, h.resultsOf("read")[0], "return a + b")
		require.Contains(t, h.resultsOf("list")[0], "calc.go")
		require.Contains(t, h.resultsOf("grep")[0], "calc.go")
	})
}

func TestPrintGivesAForegroundSubagentToCompleted(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("count the functions"):
				return say("There is one ", "function: Add.")
			case h.answered("agent"):
				return say("One function, says the subagent.")
			}
			return do(delegate("count functions", "count the functions of calc.go"))
		})
		r, errs, code := s.prompted(t, "-p", "delegate the counting")
		require.Equal(t, 0, code, errs)
		require.Equal(t, "One function, says the subagent.", r.Output)
		require.Len(t, r.Subagents, 1)
		require.Equal(t, "completed", r.Subagents[0].Status)
		got := tellings(t, s.server.await(t, parentTold("agent")))
		require.Len(t, got, 1)
		require.Equal(t, "completed", got[0].Status)
		require.Equal(t, "There is one function: Add.", got[0].Output)
		require.False(t, got[0].Partial)
		require.Equal(t, r.Subagents[0].Agent, got[0].Agent)
		child := s.server.await(t, fromChild("count the functions"))
		require.NotContains(t, child.tools, "task", "a subagent must not delegate")
		require.Contains(t, child.tools, "read")
	})
}

func TestPrintDrainsBackgroundSubagents(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		release := make(chan struct{})
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("look at one"), h.child("look at two"):
				return say("Found it.").until(release)
			case len(h.notices()) > 0:
				return say("Both are back.")
			case h.answered("agent"):
				close(release)
				return say("They are on their way.")
			}
			return do(launch("first look", "look at one"), launch("second look", "look at two"))
		})
		r, errs, code := s.prompted(t, "-p", "send two")
		require.Equal(t, 0, code, errs)
		require.Equal(t, "Both are back.", r.Output)
		require.Len(t, r.Subagents, 2)
		for _, sub := range r.Subagents {
			require.Equal(t, "completed", sub.Status)
			require.Equal(t, "Found it.", sub.Output)
		}
		for _, one := range tellings(t, s.server.await(t, parentTold("agent"))) {
			require.Equal(t, "running", one.Status)
		}
		requireEachNoticeOnce(t, s.server, "first look", "second look")
	})
}

// requireEachNoticeOnce holds the last history of the parent to one notification
// for each description.
func requireEachNoticeOnce(t *testing.T, server *modelServer, descriptions ...string) {
	t.Helper()
	histories := server.all(fromParent)
	notices := histories[len(histories)-1].notices()
	require.Len(t, notices, len(descriptions))
	for _, description := range descriptions {
		require.Equal(t, 1, strings.Count(strings.Join(notices, ""), description), "%s in %q", description, notices)
	}
}

func TestPrintExitsThreeWhenASubagentEndsEmpty(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("say nothing"):
				return nothing()
			case h.answered("agent"):
				return say("It said nothing.")
			}
			return do(delegate("stay silent", "say nothing at all"))
		})
		r, errs, code := s.prompted(t, "-p", "delegate silence")
		require.Equal(t, 3, code, errs)
		require.Equal(t, "completed_empty", r.Subagents[0].Status)
		got := tellings(t, s.server.await(t, parentTold("agent")))
		require.Equal(t, "completed_empty", got[0].Status)
		require.NotEmpty(t, got[0].Output)

		asked := s.server.all(fromChild("say nothing"))
		require.Len(t, asked, 2, "one nudge, no more")
		require.True(t, asked[1].asked("eport what you found"), "%s", asked[1])

		out, _, code := run(t, s.dir, s.env, s.flags("-p", "delegate silence")...)
		require.Equal(t, 3, code)
		require.Equal(t, "It said nothing.\n", out)
	})
}

func TestPrintExitsOneWhenTheParentEndsEmptyOrFails(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		for name, c := range map[string]struct {
			answer reply
			status string
			kind   string
		}{
			"empty":     {nothing(), "completed_empty", ""},
			"refused":   {reply{text: []string{"No."}, stop: "refused"}, "failed", "refused"},
			"truncated": {reply{text: []string{"It begins with"}, stop: "length"}, "failed", "truncated"},
			"no access": {fault(403, "this key may not use the model"), "failed", "auth"},
		} {
			s := set(t, p, func(heard) reply { return c.answer })
			r, errs, code := s.prompted(t, "-p", "go")
			require.Equal(t, 1, code, "%s: %s", name, errs)
			require.Equal(t, c.status, r.Status, name)
			if c.kind != "" {
				require.NotNil(t, r.Error, name)
				require.Equal(t, c.kind, r.Error.Kind, name)
			}
			require.Len(t, s.server.all(fromParent), 1, name)
		}
	})
}

func TestPrintTriesAgainAfterARateLimit(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		times := 0
		s := set(t, p, func(heard) reply {
			if times++; times == 1 {
				return reply{status: 429, message: "slow down", retryAfter: "1"}
			}
			return say("Here I am.")
		})
		out, errs, code := run(t, s.dir, s.env, s.flags("-p", "go")...)
		require.Equal(t, 0, code, errs)
		require.Equal(t, "Here I am.\n", out)
		require.Len(t, s.server.all(fromParent), 2, "one try more, whoever counts them")
	})
}

func TestPrintNamesAWrongKeyInOneLine(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(heard) reply { return surprised() })
		s.with("ANTHROPIC_API_KEY=sk-wrong-0001", "OPENAI_API_KEY=sk-wrong-0001", "GEMINI_API_KEY=sk-wrong-0001")
		out, errs, code := run(t, s.dir, s.env, s.flags("-p", "go")...)
		require.Equal(t, 1, code)
		require.Empty(t, out)
		requireOneLine(t, errs)
		require.Contains(t, errs, "API key: ")
		require.NotContains(t, errs, "sk-wrong-0001")
	})
}

func TestPrintDeniesAShellQuestionThatNobodyCanAnswer(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		script := func(h heard) reply {
			if h.answered("shell") {
				return say("done")
			}
			return do(use("shell", object{"command": "echo ran > made.txt"}))
		}
		s := set(t, p, script)
		_, errs, code := s.prompted(t, "-p", "run it")
		require.Equal(t, 0, code, errs)
		require.NoFileExists(t, s.dir+"/made.txt")
		require.Contains(t, s.server.await(t, parentTold("shell")).resultsOf("shell")[0], "Denied")

		s = set(t, p, script)
		_, errs, code = s.prompted(t, "--permission-mode", "bypass", "-p", "run it")
		require.Equal(t, 0, code, errs)
		require.FileExists(t, s.dir+"/made.txt")
	})
}

func TestAModelThatStopsForAnUnknownReasonHasItsWholeCallsMade(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			if h.answered("list") {
				return say("There it is.")
			}
			strange := do(use("list", object{"path": "."})).saying("I look.")
			strange.stop = "strange"
			return strange
		})
		out, errs, code := run(t, s.dir, s.env, s.flags("-p", "look")...)
		require.Equal(t, 0, code, errs)
		require.Equal(t, "There it is.\n", out)
		requireOneLine(t, errs)
		require.Contains(t, strings.ToLower(errs), "something_new")
	})
}

func TestAnErrorOfAnOpenAIServerSaysWhichServerSpeaks(t *testing.T) {
	for _, p := range []protocol{responsesProtocol(), chatProtocol()} {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			s := set(t, p, func(heard) reply { return fault(http.StatusNotFound, "no such model") })
			_, errs, code := run(t, s.dir, s.env, s.flags("-p", "go")...)
			require.Equal(t, 1, code)
			require.Contains(t, errs, "the server at "+strings.TrimPrefix(s.server.URL, "http://")+": no such model")
		})
	}
}
