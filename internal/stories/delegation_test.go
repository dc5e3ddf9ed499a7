package stories

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// tellingOf reads the only result of a tool of delegation that came with a request.
func tellingOf(t *testing.T, h modeltest.Request, tool string) harness.Told {
	t.Helper()
	texts := h.ResultsOf(tool)
	require.Len(t, texts, 1)
	var one harness.Told
	require.NoError(t, json.Unmarshal([]byte(texts[0]), &one), texts[0])
	return one
}

func TestAgentStopKeepsThePartialTextAndOwesNoNotification(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		dug := make(chan struct{})
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("dig"):
				close(dug)
				return modeltest.Say("I have dug halfway").Until(make(chan struct{}))
			case h.Answered("agent_stop"):
				return modeltest.Say("Stopped it.")
			case h.Answered("agent_output"):
				return modeltest.Do(modeltest.Use("agent_stop", modeltest.Object{"agent_id": harness.AgentOf(h), "reason": "enough"}))
			case h.Answered("agent"):
				return modeltest.Do(modeltest.Use("agent_output", modeltest.Object{"agent_id": harness.AgentOf(h), "wait_ms": 300})).Until(dug)
			}
			return modeltest.Do(modeltest.Launch("a dig", "dig to the bottom"))
		})
		r, errs, code := s.Prompted(t, "-p", "start and stop one")
		require.Equal(t, 0, code, errs)
		require.Equal(t, "Stopped it.", r.Output)
		running := tellingOf(t, s.Server.Await(t, modeltest.ParentTold("agent_output")), "agent_output")
		require.Equal(t, "running", running.Status)
		stopped := tellingOf(t, s.Server.Await(t, modeltest.ParentTold("agent_stop")), "agent_stop")
		require.Equal(t, "canceled_by_agent", stopped.Status)
		require.Equal(t, "I have dug halfway", stopped.Output)
		s.Server.AwaitLeft(t, s.Server.Await(t, modeltest.FromChild("dig")))
		require.Len(t, s.Server.All(modeltest.FromParent), 4, "no notification wakes it")
	})
}

func TestAgentOutputConsumesSoThatNoNotificationFollows(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("dig"):
				return modeltest.Say("The bottom is stone.")
			case h.Answered("agent_list"):
				return modeltest.Say("It is stone.")
			case h.Answered("agent_output"):
				return modeltest.Do(modeltest.Use("agent_list", modeltest.Object{"status": "all"}))
			case h.Answered("agent"):
				return modeltest.Do(modeltest.Use("agent_output", modeltest.Object{"agent_id": harness.AgentOf(h), "wait_ms": 30000}))
			}
			return modeltest.Do(modeltest.Launch("a dig", "dig to the bottom"))
		})
		r, errs, code := s.Prompted(t, "-p", "start one and wait")
		require.Equal(t, 0, code, errs)
		require.Equal(t, "It is stone.", r.Output)
		got := tellingOf(t, s.Server.Await(t, modeltest.ParentTold("agent_output")), "agent_output")
		require.Equal(t, "completed", got.Status)
		require.Equal(t, "The bottom is stone.", got.Output)
		list := s.Server.Await(t, modeltest.ParentTold("agent_list"))
		require.Contains(t, list.ResultsOf("agent_list")[0], `"consumed":true`)
		require.Empty(t, list.Notices())
		require.Len(t, s.Server.All(modeltest.FromParent), 4, "no notification wakes it")
	})
}

func TestAgentSendToAnEndedSubagentStartsARunInItsOwnConversation(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("dig") && h.Asked("and how deep?"):
				return modeltest.Say("Nine feet.")
			case h.Child("dig"):
				return modeltest.Say("The bottom is stone.")
			case len(h.Notices()) > 0:
				return modeltest.Say("Nine feet, it says.")
			case h.Answered("agent_send"):
				return modeltest.Say("I asked again.")
			case h.Answered("agent"):
				return modeltest.Do(modeltest.Use("agent_send", modeltest.Object{"agent_id": harness.AgentOf(h), "message": "and how deep?"}))
			}
			return modeltest.Do(modeltest.Delegate("a dig", "dig to the bottom"))
		})
		r, errs, code := s.Prompted(t, "-p", "ask twice")
		require.Equal(t, 0, code, errs)
		require.Equal(t, "Nine feet, it says.", r.Output)
		second := s.Server.AwaitNth(t, 2, modeltest.FromChild("dig"))
		require.Equal(t, "The bottom is stone.", second.Messages[1].Text)
		h := s.Server.Await(t, func(h modeltest.Request) bool { return h.Parent() && len(h.Notices()) == 1 })
		require.Contains(t, h.Notices()[0], "<result>Nine feet.</result>")
		require.Contains(t, h.Notices()[0], harness.AgentOf(h))
	})
}

func TestLaunchBeyondTheSlotsIsQueuedAndRunsLater(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		first := make(chan struct{})
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("dig here"):
				return modeltest.Say("Earth.").Until(first)
			case h.Child("dig there"):
				return modeltest.Say("Sand.")
			case len(h.Notices()) == 2:
				return modeltest.Say("Earth and sand.")
			case len(h.Notices()) == 1:
				return modeltest.Say("One of two.")
			case h.Answered("agent"):
				close(first)
				return modeltest.Say("Waiting.")
			}
			return modeltest.Do(modeltest.Launch("one dig", "dig here"), modeltest.Launch("other dig", "dig there"))
		}).With("PAWL_SUBAGENTS_MAX_BACKGROUND=1")
		r, errs, code := s.Prompted(t, "-p", "send two")
		require.Equal(t, 0, code, errs)
		require.Equal(t, "Earth and sand.", r.Output)
		got := harness.Tellings(t, s.Server.Await(t, modeltest.ParentTold("agent")))
		require.ElementsMatch(t, []string{"running", "queued"}, []string{got[0].Status, got[1].Status})
		requireEachNoticeOnce(t, s.Server, "one dig", "other dig")
	})
}

func TestNeverMoreThanTheLimitRunAtOnceAndTheQueueIsBounded(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		var launches []modeltest.Call
		for i := range 27 {
			launches = append(launches, modeltest.Launch(fmt.Sprintf("dig %02d", i), fmt.Sprintf("dig in place %02d", i)))
		}
		running, most := 0, 0
		launched := make(chan struct{})
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("dig in place") && h.Answered("read"):
				running-- // before its run ends: the next one cannot be there yet
				return modeltest.Say("Earth.")
			case h.Child("dig in place"):
				running++
				most = max(most, running)
				answer := modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "calc.go"}))
				answer.Hold = launched
				return answer
			case h.Answered("agent"):
				close(launched)
				return modeltest.Say("They dig.")
			case len(h.Notices()) > 0:
				return modeltest.Say("Dug.")
			}
			return modeltest.Do(launches...)
		})
		r, errs, code := s.Prompted(t, "-p", "send many")
		require.Equal(t, 0, code, errs)
		require.Len(t, r.Subagents, 25)
		require.LessOrEqual(t, most, 5)
		states := map[string]int{}
		for _, text := range s.Server.Await(t, modeltest.ParentTold("agent")).ResultsOf("agent") {
			var one harness.Told
			if json.Unmarshal([]byte(text), &one) != nil {
				require.Contains(t, text, "o not retry")
				one.Status = "refused"
			}
			states[one.Status]++
		}
		require.Equal(t, map[string]int{"running": 5, "queued": 20, "refused": 2}, states)
		histories := s.Server.All(modeltest.FromParent)
		require.Len(t, histories[len(histories)-1].Notices(), 25)
	})
}

func TestSlowForegroundRunReturnsOverdueAndNotifiesLater(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		release := make(chan struct{})
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("dig"):
				return modeltest.Say("The bottom ").Until(release, "is stone.")
			case len(h.Notices()) > 0:
				return modeltest.Say("Stone, it says.")
			case h.Answered("agent"):
				close(release)
				return modeltest.Say("It takes long.")
			}
			return modeltest.Do(modeltest.Delegate("a dig", "dig to the bottom"))
		}).With("PAWL_SUBAGENTS_FOREGROUND_WARNING=300ms")
		r, errs, code := s.Prompted(t, "-p", "send one")
		require.Equal(t, 0, code, errs)
		require.Equal(t, "Stone, it says.", r.Output)
		got := harness.Tellings(t, s.Server.Await(t, modeltest.ParentTold("agent")))
		require.Equal(t, "running", got[0].Status)
		require.Equal(t, "foreground_timeout", got[0].Warning)
		h := s.Server.Await(t, func(h modeltest.Request) bool { return h.Parent() && len(h.Notices()) == 1 })
		require.Contains(t, h.Notices()[0], "<result>The bottom is stone.</result>")
	})
}

func TestSubagentCannotDelegate(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("dig") && len(h.News()[0].Results) > 0:
				return modeltest.Say("I may not.")
			case h.Child("dig"):
				return modeltest.Do(modeltest.Delegate("deeper", "dig deeper"))
			case h.Answered("agent"):
				return modeltest.Say("It may not.")
			}
			return modeltest.Do(modeltest.Delegate("a dig", "dig to the bottom"))
		})
		_, errs, code := s.Prompted(t, "-p", "send one")
		require.Equal(t, 0, code, errs)
		second := s.Server.AwaitNth(t, 2, modeltest.FromChild("dig"))
		require.Contains(t, second.ResultsOf("agent")[0], `no tool "agent"`)
		for _, tool := range second.Tools {
			require.NotContains(t, tool, "agent")
		}
	})
}
