package stories

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// steps is a parent that does one thing after another: the n-th of its answers is
// the n-th of the list, made when it is due; then it says that it is done.
func steps(child func(h modeltest.Request) modeltest.Reply, list ...func(h modeltest.Request) modeltest.Reply) func(modeltest.Request) modeltest.Reply {
	n := 0
	return func(h modeltest.Request) modeltest.Reply {
		switch {
		case !h.Parent():
			return child(h)
		case n < len(list):
			n++
			return list[n-1](h)
		}
		return modeltest.Say("That is all.")
	}
}

// with makes an answer of one call about the only agent.
func about(tool string, more modeltest.Object) func(h modeltest.Request) modeltest.Reply {
	return func(h modeltest.Request) modeltest.Reply {
		return modeltest.Do(modeltest.Use(tool, modeltest.Object{"agent_id": harness.AgentOf(h)}.With(more)))
	}
}

// One agent keeps its id through all that its parent does with it, and each thing
// says what it did.
func TestOneAgentIDThroughSendOutputAndResume(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		release, began := make(chan struct{}), make(chan struct{})
		s := harness.NewStage(t, p, steps(
			func(h modeltest.Request) modeltest.Reply {
				switch {
				case h.Asked("and the name?"):
					return modeltest.Say("It is called Calc.")
				case h.Asked("be brief"):
					return modeltest.Say("It adds.")
				case h.Answered("read"):
					return modeltest.Surprised() // the message came while it read
				}
				close(began)
				answer := begun()
				answer.Hold = release
				return answer
			},
			func(modeltest.Request) modeltest.Reply {
				return modeltest.Do(modeltest.Launch("a look", "look at the readme"))
			},
			func(h modeltest.Request) modeltest.Reply { // its first step has begun: what is said to it is for the next
				return about("agent_output", modeltest.Object{"wait_ms": 50, "detail": "events"})(h).Until(began)
			},
			about("agent_send", modeltest.Object{"message": "be brief"}),
			func(h modeltest.Request) modeltest.Reply {
				return modeltest.Do(modeltest.Use("agent", modeltest.Object{"description": "again", "prompt": "go on", "resume": harness.AgentOf(h)}))
			},
			func(h modeltest.Request) modeltest.Reply {
				close(release)
				return about("agent_output", modeltest.Object{"wait_ms": 30000})(h)
			},
			about("agent_output", modeltest.Object{"detail": "transcript"}),
			func(h modeltest.Request) modeltest.Reply {
				return modeltest.Do(modeltest.Use("agent", modeltest.Object{"description": "again", "prompt": "and the name?", "resume": harness.AgentOf(h)}))
			},
		))
		r, errs, code := s.Prompted(t, "-p", "look at it")
		require.Equal(t, 0, code, errs)
		require.Equal(t, "That is all.", r.Output)
		histories := s.Server.All(modeltest.FromParent)
		require.Len(t, histories, 8, "no notification woke it: each result was given otherwise")
		id := harness.AgentOf(histories[7])
		for _, h := range histories {
			require.Empty(t, h.Notices())
		}

		running := tellingOf(t, histories[2], "agent_output")
		require.Equal(t, "running", running.Status)
		require.Equal(t, id, running.Agent)
		require.Equal(t, "spawned", running.Events[0].Event)
		require.Positive(t, running.Last)
		sent := tellingOf(t, histories[3], "agent_send")
		require.Equal(t, running.Run, sent.Run)
		require.Contains(t, sent.Message, "delivered at its next step")
		require.Contains(t, histories[4].ResultsOf("agent")[0], "is running: use agent_send to speak to it")

		read := tellingOf(t, histories[5], "agent_output")
		require.Equal(t, "completed", read.Status)
		require.Equal(t, "It adds.", read.Output)
		require.Equal(t, running.Run, read.Run)
		again := tellingOf(t, histories[6], "agent_output")
		require.Equal(t, "It adds.", again.Output, "a second reading is allowed, and gives the same")
		var roles []string
		for _, line := range again.Lines {
			roles = append(roles, line.Role)
		}
		require.Equal(t, []string{"user", "assistant", "tool", "user", "assistant"}, roles)

		resumed := tellingOf(t, histories[7], "agent")
		require.Equal(t, id, resumed.Agent)
		require.NotEqual(t, running.Run, resumed.Run)
		require.Equal(t, "It is called Calc.", resumed.Output)
		require.Contains(t, s.Server.Await(t, func(h modeltest.Request) bool { return h.Asked("and the name?") }).Messages[0].Text, "look at the readme", "its own conversation goes on")

		seen := map[string]int{}
		for _, rec := range exportedPage(t, s, r.Session).Records {
			seen[rec.Event+rec.Run]++
		}
		require.Equal(t, 1, seen["consumed"+running.Run], "once, however often it was read")
		require.Equal(t, 1, seen["notification_withdrawn"+running.Run])
		require.Zero(t, seen["notification_delivered"+running.Run])
		require.Equal(t, 1, seen["consumed"+resumed.Run])
		require.Zero(t, seen["notification_queued"+resumed.Run])
	})
}

// What comes after a record is all that since gives, and it says where to go on.
func TestAgentOutputGivesWhatIsNewSinceARecord(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	var since int64
	s := harness.NewStage(t, modeltest.Anthropic(), steps(
		func(h modeltest.Request) modeltest.Reply { return modeltest.Say("Found ").Until(release, "it.") },
		func(modeltest.Request) modeltest.Reply {
			return modeltest.Do(modeltest.Launch("a look", "look at the readme"))
		},
		about("agent_output", modeltest.Object{"wait_ms": 200, "detail": "events"}),
		func(h modeltest.Request) modeltest.Reply {
			var one harness.Told
			_ = json.Unmarshal([]byte(h.ResultsOf("agent_output")[0]), &one) // read again below
			since = one.Last
			close(release)
			return about("agent_output", modeltest.Object{"wait_ms": 30000, "since": since})(h)
		},
	))
	_, errs, code := s.Prompted(t, "-p", "look at it")
	require.Equal(t, 0, code, errs)
	histories := s.Server.All(modeltest.FromParent)
	first, second := tellingOf(t, histories[2], "agent_output"), tellingOf(t, histories[3], "agent_output")
	require.Equal(t, "running", first.Status)
	require.Equal(t, "completed", second.Status)
	require.Equal(t, "Found it.", second.Output)
	require.Greater(t, second.Last, first.Last)
	require.Equal(t, "ended", second.Events[len(second.Events)-2].Event)
	for _, e := range second.Events {
		require.NotContains(t, []string{"spawned", "started"}, e.Event)
	}
}

// A message to one that waits for a slot is there when it begins.
func TestAgentSendToAQueuedSubagentJoinsItsPrompt(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	var second string
	s := harness.NewStage(t, modeltest.Anthropic(), steps(
		func(h modeltest.Request) modeltest.Reply {
			if h.Child("go second") {
				return modeltest.Say("I know both.")
			}
			return modeltest.Say("Done.").Until(release)
		},
		func(modeltest.Request) modeltest.Reply {
			return modeltest.Do(modeltest.Launch("first", "go first"), modeltest.Launch("second", "go second"))
		},
		func(h modeltest.Request) modeltest.Reply {
			var one harness.Told
			_ = json.Unmarshal([]byte(h.ResultsOf("agent")[1]), &one)
			second = one.Agent
			return modeltest.Do(modeltest.Use("agent_send", modeltest.Object{"agent_id": second, "message": "and mind the step"}))
		},
		func(modeltest.Request) modeltest.Reply {
			close(release)
			return modeltest.Say("They are on their way.")
		},
	)).With("PAWL_SUBAGENTS_MAX_BACKGROUND=1")
	_, errs, code := s.Prompted(t, "-p", "send both")
	require.Equal(t, 0, code, errs)
	sent := tellingOf(t, s.Server.Await(t, modeltest.ParentTold("agent_send")), "agent_send")
	require.Equal(t, "queued", sent.Status)
	require.Equal(t, second, sent.Agent)
	require.Contains(t, sent.Message, "added to its prompt")
	h := s.Server.Await(t, modeltest.FromChild("go second"))
	require.True(t, h.Asked("and mind the step"), "in its first request")
	require.Len(t, s.Server.All(modeltest.FromChild("go second")), 1)
}
