package stories

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// steps is a parent that does one thing after another: the n-th of its answers is
// the n-th of the list, made when it is due; then it says that it is done.
func steps(child func(h heard) reply, list ...func(h heard) reply) func(heard) reply {
	n := 0
	return func(h heard) reply {
		switch {
		case !h.parent():
			return child(h)
		case n < len(list):
			n++
			return list[n-1](h)
		}
		return say("That is all.")
	}
}

// with makes an answer of one call about the only agent.
func about(tool string, more object) func(h heard) reply {
	return func(h heard) reply { return do(use(tool, object{"agent_id": agentOf(h)}.with(more))) }
}

// One agent keeps its id through all that its parent does with it, and each thing
// says what it did.
func TestOneAgentIDThroughSendOutputAndResume(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		release := make(chan struct{})
		s := set(t, p, steps(
			func(h heard) reply {
				switch {
				case h.asked("and the name?"):
					return say("It is called Calc.")
				case h.asked("be brief"):
					return say("It adds.")
				case h.answered("read"):
					return surprised() // the message came while it read
				}
				answer := begun()
				answer.hold = release
				return answer
			},
			func(heard) reply { return do(launch("a look", "look at the readme")) },
			about("agent_output", object{"wait_ms": 50, "detail": "events"}),
			about("agent_send", object{"message": "be brief"}),
			func(h heard) reply {
				return do(use("agent", object{"description": "again", "prompt": "go on", "resume": agentOf(h)}))
			},
			func(h heard) reply {
				close(release)
				return about("agent_output", object{"wait_ms": 30000})(h)
			},
			about("agent_output", object{"detail": "transcript"}),
			func(h heard) reply {
				return do(use("agent", object{"description": "again", "prompt": "and the name?", "resume": agentOf(h)}))
			},
		))
		r, errs, code := s.prompted(t, "-p", "look at it")
		require.Equal(t, 0, code, errs)
		require.Equal(t, "That is all.", r.Output)
		histories := s.server.all(fromParent)
		require.Len(t, histories, 8, "no notification woke it: each result was given otherwise")
		id := agentOf(histories[7])
		for _, h := range histories {
			require.Empty(t, h.notices())
		}

		running := tellingOf(t, histories[2], "agent_output")
		require.Equal(t, "running", running.Status)
		require.Equal(t, id, running.Agent)
		require.Equal(t, "spawned", running.Events[0].Event)
		require.Positive(t, running.Last)
		sent := tellingOf(t, histories[3], "agent_send")
		require.Equal(t, running.Run, sent.Run)
		require.Contains(t, sent.Message, "delivered at its next step")
		require.Contains(t, histories[4].resultsOf("agent")[0], "is running: use agent_send to speak to it")

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
		require.Contains(t, s.server.await(t, func(h heard) bool { return h.asked("and the name?") }).messages[0].text, "look at the readme", "its own conversation goes on")

		seen := map[string]int{}
		for _, rec := range s.page(t, r.Session).raw(t) {
			seen[rec.Event+string(rec.Run)]++
		}
		require.Equal(t, 1, seen["consumed"+running.Run], "once, however often it was read")
		require.Equal(t, 1, seen["notification_withdrawn"+running.Run])
		require.Zero(t, seen["notification_delivered"+running.Run])
		require.Equal(t, 1, seen["consumed"+resumed.Run])
		require.Zero(t, seen["notification_queued"+resumed.Run])
	})
}

// line is a record as the export writes it.
type line struct{ Event, Run string }

func (p page) raw(t *testing.T) (lines []line) {
	t.Helper()
	for _, rec := range p.Records {
		text, err := json.Marshal(rec)
		require.NoError(t, err)
		var one line
		require.NoError(t, json.Unmarshal(text, &one))
		lines = append(lines, one)
	}
	return lines
}

// What comes after a record is all that since gives, and it says where to go on.
func TestAgentOutputGivesWhatIsNewSinceARecord(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	var since int64
	s := set(t, anthropicProtocol(), steps(
		func(h heard) reply { return say("Found ").until(release, "it.") },
		func(heard) reply { return do(launch("a look", "look at the readme")) },
		about("agent_output", object{"wait_ms": 200, "detail": "events"}),
		func(h heard) reply {
			var one told
			_ = json.Unmarshal([]byte(h.resultsOf("agent_output")[0]), &one) // read again below
			since = one.Last
			close(release)
			return about("agent_output", object{"wait_ms": 30000, "since": since})(h)
		},
	))
	_, errs, code := s.prompted(t, "-p", "look at it")
	require.Equal(t, 0, code, errs)
	histories := s.server.all(fromParent)
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
	s := set(t, anthropicProtocol(), steps(
		func(h heard) reply {
			if h.child("go second") {
				return say("I know both.")
			}
			return say("Done.").until(release)
		},
		func(heard) reply { return do(launch("first", "go first"), launch("second", "go second")) },
		func(h heard) reply {
			var one told
			_ = json.Unmarshal([]byte(h.resultsOf("agent")[1]), &one)
			second = one.Agent
			return do(use("agent_send", object{"agent_id": second, "message": "and mind the step"}))
		},
		func(heard) reply {
			close(release)
			return say("They are on their way.")
		},
	)).with("PAWL_SUBAGENTS_MAX_BACKGROUND=1")
	_, errs, code := s.prompted(t, "-p", "send both")
	require.Equal(t, 0, code, errs)
	sent := tellingOf(t, s.server.await(t, parentTold("agent_send")), "agent_send")
	require.Equal(t, "queued", sent.Status)
	require.Equal(t, second, sent.Agent)
	require.Contains(t, sent.Message, "added to its prompt")
	h := s.server.await(t, fromChild("go second"))
	require.True(t, h.asked("and mind the step"), "in its first request")
	require.Len(t, s.server.all(fromChild("go second")), 1)
}
