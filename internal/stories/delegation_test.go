package stories

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// tellingOf reads the only result of a tool of delegation that came with a request.
func tellingOf(t *testing.T, h heard, tool string) told {
	t.Helper()
	texts := h.resultsOf(tool)
	require.Len(t, texts, 1)
	var one told
	require.NoError(t, json.Unmarshal([]byte(texts[0]), &one), texts[0])
	return one
}

// agentOf is the id of the subagent that a history's only launch started.
func agentOf(h heard) string {
	for _, m := range h.messages {
		for _, r := range m.results {
			var one told
			if json.Unmarshal([]byte(r.text), &one) == nil && one.Agent != "" {
				return one.Agent
			}
		}
	}
	return ""
}

func TestAgentStopKeepsThePartialTextAndOwesNoNotification(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("dig"):
				return say("I have dug halfway").until(make(chan struct{}))
			case h.answered("agent_stop"):
				return say("Stopped it.")
			case h.answered("agent_output"):
				return do(use("agent_stop", object{"agent_id": agentOf(h), "reason": "enough"}))
			case h.answered("agent"):
				return do(use("agent_output", object{"agent_id": agentOf(h), "wait_ms": 300}))
			}
			return do(launch("a dig", "dig to the bottom"))
		})
		r, errs, code := s.prompted(t, "-p", "start and stop one")
		require.Equal(t, 0, code, errs)
		require.Equal(t, "Stopped it.", r.Output)
		running := tellingOf(t, s.server.await(t, parentTold("agent_output")), "agent_output")
		require.Equal(t, "running", running.Status)
		stopped := tellingOf(t, s.server.await(t, parentTold("agent_stop")), "agent_stop")
		require.Equal(t, "canceled_by_agent", stopped.Status)
		require.Equal(t, "I have dug halfway", stopped.Output)
		s.server.awaitLeft(t, s.server.await(t, fromChild("dig")))
		require.Len(t, s.server.all(fromParent), 4, "no notification wakes it")
	})
}

func TestAgentOutputConsumesSoThatNoNotificationFollows(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("dig"):
				return say("The bottom is stone.")
			case h.answered("agent_list"):
				return say("It is stone.")
			case h.answered("agent_output"):
				return do(use("agent_list", object{"status": "all"}))
			case h.answered("agent"):
				return do(use("agent_output", object{"agent_id": agentOf(h), "wait_ms": 30000}))
			}
			return do(launch("a dig", "dig to the bottom"))
		})
		r, errs, code := s.prompted(t, "-p", "start one and wait")
		require.Equal(t, 0, code, errs)
		require.Equal(t, "It is stone.", r.Output)
		got := tellingOf(t, s.server.await(t, parentTold("agent_output")), "agent_output")
		require.Equal(t, "completed", got.Status)
		require.Equal(t, "The bottom is stone.", got.Output)
		list := s.server.await(t, parentTold("agent_list"))
		require.Contains(t, list.resultsOf("agent_list")[0], `"consumed":true`)
		require.Empty(t, list.notices())
		require.Len(t, s.server.all(fromParent), 4, "no notification wakes it")
	})
}

func TestAgentSendToAnEndedSubagentStartsARunInItsOwnConversation(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("dig") && h.asked("and how deep?"):
				return say("Nine feet.")
			case h.child("dig"):
				return say("The bottom is stone.")
			case len(h.notices()) > 0:
				return say("Nine feet, it says.")
			case h.answered("agent_send"):
				return say("I asked again.")
			case h.answered("agent"):
				return do(use("agent_send", object{"agent_id": agentOf(h), "message": "and how deep?"}))
			}
			return do(delegate("a dig", "dig to the bottom"))
		})
		r, errs, code := s.prompted(t, "-p", "ask twice")
		require.Equal(t, 0, code, errs)
		require.Equal(t, "Nine feet, it says.", r.Output)
		second := s.server.awaitNth(t, 2, fromChild("dig"))
		require.Equal(t, "The bottom is stone.", second.messages[1].text)
		h := s.server.await(t, func(h heard) bool { return h.parent() && len(h.notices()) == 1 })
		require.Contains(t, h.notices()[0], "<result>Nine feet.</result>")
		require.Contains(t, h.notices()[0], agentOf(h))
	})
}

func TestLaunchBeyondTheSlotsIsQueuedAndRunsLater(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		first := make(chan struct{})
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("dig here"):
				return say("Earth.").until(first)
			case h.child("dig there"):
				return say("Sand.")
			case len(h.notices()) == 2:
				return say("Earth and sand.")
			case len(h.notices()) == 1:
				return say("One of two.")
			case h.answered("agent"):
				close(first)
				return say("Waiting.")
			}
			return do(launch("one dig", "dig here"), launch("other dig", "dig there"))
		}).with("PAWL_SUBAGENTS_MAX_BACKGROUND=1")
		r, errs, code := s.prompted(t, "-p", "send two")
		require.Equal(t, 0, code, errs)
		require.Equal(t, "Earth and sand.", r.Output)
		got := tellings(t, s.server.await(t, parentTold("agent")))
		require.ElementsMatch(t, []string{"running", "queued"}, []string{got[0].Status, got[1].Status})
		requireEachNoticeOnce(t, s.server, "one dig", "other dig")
	})
}

func TestNeverMoreThanTheLimitRunAtOnceAndTheQueueIsBounded(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		var launches []call
		for i := range 27 {
			launches = append(launches, launch(fmt.Sprintf("dig %02d", i), fmt.Sprintf("dig in place %02d", i)))
		}
		running, most := 0, 0
		launched := make(chan struct{})
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("dig in place") && h.answered("read"):
				running-- // before its run ends: the next one cannot be there yet
				return say("Earth.")
			case h.child("dig in place"):
				running++
				most = max(most, running)
				answer := do(use("read", object{"path": "calc.go"}))
				answer.hold = launched
				return answer
			case h.answered("agent"):
				close(launched)
				return say("They dig.")
			case len(h.notices()) > 0:
				return say("Dug.")
			}
			return do(launches...)
		})
		r, errs, code := s.prompted(t, "-p", "send many")
		require.Equal(t, 0, code, errs)
		require.Len(t, r.Subagents, 25)
		require.LessOrEqual(t, most, 5)
		states := map[string]int{}
		for _, text := range s.server.await(t, parentTold("agent")).resultsOf("agent") {
			var one told
			if json.Unmarshal([]byte(text), &one) != nil {
				require.Contains(t, text, "o not retry")
				one.Status = "refused"
			}
			states[one.Status]++
		}
		require.Equal(t, map[string]int{"running": 5, "queued": 20, "refused": 2}, states)
		histories := s.server.all(fromParent)
		require.Len(t, histories[len(histories)-1].notices(), 25)
	})
}

func TestSlowForegroundRunReturnsOverdueAndNotifiesLater(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		release := make(chan struct{})
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("dig"):
				return say("The bottom ").until(release, "is stone.")
			case len(h.notices()) > 0:
				return say("Stone, it says.")
			case h.answered("agent"):
				close(release)
				return say("It takes long.")
			}
			return do(delegate("a dig", "dig to the bottom"))
		}).with("PAWL_SUBAGENTS_FOREGROUND_WARNING=300ms")
		r, errs, code := s.prompted(t, "-p", "send one")
		require.Equal(t, 0, code, errs)
		require.Equal(t, "Stone, it says.", r.Output)
		got := tellings(t, s.server.await(t, parentTold("agent")))
		require.Equal(t, "running", got[0].Status)
		require.Equal(t, "foreground_timeout", got[0].Warning)
		h := s.server.await(t, func(h heard) bool { return h.parent() && len(h.notices()) == 1 })
		require.Contains(t, h.notices()[0], "<result>The bottom is stone.</result>")
	})
}

func TestSubagentCannotDelegate(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("dig") && len(h.news()[0].results) > 0:
				return say("I may not.")
			case h.child("dig"):
				return do(delegate("deeper", "dig deeper"))
			case h.answered("agent"):
				return say("It may not.")
			}
			return do(delegate("a dig", "dig to the bottom"))
		})
		_, errs, code := s.prompted(t, "-p", "send one")
		require.Equal(t, 0, code, errs)
		second := s.server.awaitNth(t, 2, fromChild("dig"))
		require.Contains(t, second.resultsOf("agent")[0], `no tool "agent"`)
		for _, tool := range second.tools {
			require.NotContains(t, tool, "agent")
		}
	})
}
