package otel

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent/mask"
	"pawl/export/oteltest"
	"pawl/lifecycle"
)

// delegation is a parent's run that starts a subagent in the background, is told of its end
// and answers.
func delegation() *story {
	s := &story{}
	s.parentRun("p1").add("root", "p1", asked(100, 10), lifecycle.ToolStarted{Call: "c1", Tool: "agent", Input: json.RawMessage(`{"prompt":"look"}`)})
	s.childRun("k1", "p1", "c1")
	s.add("root", "p1", lifecycle.ToolEnded{Call: "c1", Tool: "agent", Status: lifecycle.ToolOK}, lifecycle.StepStarted{Step: 2}, asked(120, 5))
	s.add("kid", "k1",
		lifecycle.Waiting{Why: "rate limited; asking again in 2s", For: 2 * time.Second, Attempt: 1}, lifecycle.Text{Text: "I see"}, asked(50, 7),
		lifecycle.ToolStarted{Call: "s1", Tool: "shell", Label: "ls", Input: json.RawMessage(`{"command":"ls /secret"}`)},
		lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q", Call: "s1", Tool: "shell", Subject: "ls /secret"}},
		lifecycle.PermissionDenied{Question: "q", Call: "s1", Tool: "shell", Subject: "ls /secret", By: "person", Reason: "not that"},
		lifecycle.ToolEnded{Call: "s1", Tool: "shell", Status: lifecycle.ToolDenied},
		lifecycle.StepStarted{Step: 2}, lifecycle.Text{Text: "nothing there"}, asked(60, 8),
		lifecycle.Ended{State: lifecycle.StateCompleted, Result: "nothing there"}, lifecycle.NotificationQueued{})
	s.add("root", "p1", lifecycle.StepStarted{Step: 3})
	s.add("kid", "k1", lifecycle.NotificationDelivered{InRun: "p1", Step: 3}, lifecycle.Consumed{By: lifecycle.ByNotification, InRun: "p1"})
	return s.add("root", "p1", lifecycle.Text{Text: "It is fine."}, asked(150, 9), lifecycle.Ended{State: lifecycle.StateCompleted, Result: "It is fine."})
}

func TestTheTreeOfSpansIsWhatTheRunsDid(t *testing.T) {
	spans := told(t, nil, delegation())
	require.Equal(t, `invoke_agent general 1-30
  chat claude 3-4
  execute_tool agent 5-10
    invoke_agent explore 6-23
      queued 6-8
      chat gpt 9-15
      waiting 13-14
      execute_tool shell 16-19 failed: denied
        permission 17-18
      chat gpt 20-22
  chat claude 11-12
  chat claude 25-29
`, drawn(spans))
	trace := named(t, spans, "invoke_agent general").Trace
	for _, s := range spans {
		require.Equal(t, trace, s.Trace, s.Name)
		require.Equal(t, "root", s.Facts[keyConversation])
		require.Equal(t, map[string]any{
			"service.name": "pawl", "service.version": "1.2.3", "telemetry.sdk.name": "pawl", "telemetry.sdk.language": "go", "telemetry.sdk.version": "1.2.3",
		}, s.Resource)
	}
}

// A clock may stand still while much happens: what began at one moment is not one span.
func TestSpansThatBeganAtOneMomentAreTwo(t *testing.T) {
	s := delegation()
	for i := range s.records {
		s.records[i].Time = s.records[0].Time
	}
	ids := map[string]string{}
	for _, one := range told(t, nil, s) {
		require.NotContains(t, ids, one.ID, "%s has the id of %s", one.Name, ids[one.ID])
		ids[one.ID] = one.Name
	}
}

func TestSpansSayWhatTheConventionsName(t *testing.T) {
	c := oteltest.Listen(t)
	o := optionsFor(t, c, nil)
	o.Server = func(model string) (string, int) {
		if model == "openai-chat/gpt" {
			return "models.example", 8443
		}
		return "", 0
	}
	tell(t, o, delegation())
	spans := c.Spans()
	run := named(t, spans, "invoke_agent explore")
	require.Equal(t, "SPAN_KIND_INTERNAL", run.Kind)
	require.Equal(t, map[string]any{
		keyOperation: "invoke_agent", keyProvider: "openai", keyModel: "gpt", keyServer: "models.example", keyPort: int64(8443),
		keyConversation: "root", keyAgentID: "kid", keyAgentName: "explore", keyAgentAbout: "a look",
		keyInputTokens: int64(110), keyOutputTokens: int64(15), keySteps: int64(2), keyToolCalls: int64(1),
		keyRun: "k1", keyState: "completed", keyTrigger: "agent", keyBackground: true, keyFirstRecord: int64(6), keyLastRecord: int64(23),
	}, run.Facts)
	require.Len(t, run.Events, 1)
	require.Equal(t, oteltest.Event{
		Name: "pawl.denied", Time: time.Unix(1018, 0).UTC(),
		Facts: map[string]any{keyToolName: "shell", keyToolCall: "s1", keyBy: "person", keyStep: int64(1)},
	}, run.Events[0])

	request := named(t, spans, "chat gpt")
	require.Equal(t, "SPAN_KIND_CLIENT", request.Kind)
	require.Equal(t, map[string]any{
		keyOperation: "chat", keyProvider: "openai", keyModel: "gpt", keyServer: "models.example", keyPort: int64(8443), keyConversation: "root",
		keyAgentID: "kid", keyAgentName: "explore", keyRun: "k1", keyStep: int64(1), keyInputTokens: int64(50), keyOutputTokens: int64(7),
	}, request.Facts)

	question := named(t, spans, "permission")
	require.Equal(t, map[string]any{
		keyToolName: "shell", keyAnswer: "denied", keyBy: "person", keyConversation: "root", keyAgentID: "kid", keyAgentName: "explore", keyRun: "k1", keyStep: int64(1),
	}, question.Facts)

	call := named(t, spans, "execute_tool shell")
	require.Equal(t, map[string]any{
		keyOperation: "execute_tool", keyToolName: "shell", keyToolCall: "s1", keyToolType: "function", keyToolStatus: "denied", keyError: "denied",
		keyConversation: "root", keyAgentID: "kid", keyAgentName: "explore", keyRun: "k1", keyStep: int64(1),
	}, call.Facts)
}

func TestARequestSaysWhatItsServerSaidOfTheAnswer(t *testing.T) {
	s := &story{}
	said := lifecycle.Response{Model: "claude-5-20261101", ID: "msg_1", Finish: "end_turn"}
	s.parentRun("p1").add("root", "p1",
		lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 9, OutputTokens: 4, EstimatedTokens: 3}, Response: said, Effort: "high", Fallback: "chat/other"},
		lifecycle.Ended{State: lifecycle.StateCompleted, Result: "It is fine."})
	request := named(t, told(t, nil, s), "chat claude")
	require.Equal(t, "claude-5-20261101", request.Facts["gen_ai.response.model"])
	require.Equal(t, "msg_1", request.Facts["gen_ai.response.id"])
	require.Equal(t, []string{"end_turn"}, request.Facts["gen_ai.response.finish_reasons"])
	require.Equal(t, int64(3), request.Facts["pawl.usage.estimated_tokens"])
	require.Equal(t, "high", request.Facts["pawl.effort"])
	require.Equal(t, "chat/other", request.Facts["pawl.fallback"])
	require.Equal(t, "https://opentelemetry.io/schemas/1.41.0", request.Schema)

	before := named(t, told(t, nil, delegation()), "chat claude") // as older records have it
	require.NotContains(t, before.Facts, "gen_ai.response.model")
	require.NotContains(t, before.Facts, "gen_ai.response.finish_reasons")
}

func TestTheRequestThatSawANotificationIsLinkedToTheRunThatEnded(t *testing.T) {
	spans := told(t, nil, delegation())
	run := named(t, spans, "invoke_agent explore")
	for _, s := range spans {
		if s.Name == "chat claude" && s.Facts[keyStep] == int64(3) {
			require.Equal(t, []oteltest.Link{{Trace: run.Trace, ID: run.ID, Facts: map[string]any{keyLink: "told_of"}}}, s.Links)
			continue
		}
		require.Empty(t, s.Links, s.Name)
	}
	parent := named(t, spans, "invoke_agent general")
	require.Equal(t, "pawl.told", parent.Events[0].Name)
	require.Equal(t, "k1", parent.Events[0].Facts[keyRun])
}

func TestContentIsSentOnlyWhereItIsAskedForAndIsMasked(t *testing.T) {
	secret := "correct-horse-battery"
	s := (&story{}).add("root", "p1",
		lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root", Type: "general", Model: "demo", Prompt: "use " + secret + " wisely"}},
		lifecycle.Started{}, lifecycle.StepStarted{Step: 1},
		lifecycle.MessageQueued{Message: lifecycle.Message{ID: "m", From: "user", Text: "hurry " + secret}},
		lifecycle.MessageTaken{Message: "m", Step: 1, From: "user", Text: "hurry " + secret}, lifecycle.Text{Text: "I shall " + secret}, asked(1, 1),
		lifecycle.ToolStarted{Call: "c", Tool: "shell", Label: "echo " + secret, Input: json.RawMessage(`{"command":"echo ` + secret + `"}`)},
		lifecycle.PermissionDenied{Call: "c", Tool: "shell", Subject: "echo " + secret, By: "rule", Reason: "it echoes " + secret},
		lifecycle.ToolEnded{Call: "c", Tool: "shell", Status: lifecycle.ToolDenied},
		lifecycle.Warned{Kind: lifecycle.WarnHook, Message: "a hook says " + secret}, lifecycle.StopRequested{Cause: lifecycle.CauseKey, Reason: "enough of " + secret},
		lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailProvider, Message: "bad key " + secret}, Partial: "I shall " + secret})
	for asks, words := range map[string]bool{"": false, "false": false, "true": true} {
		c := oteltest.Listen(t)
		o := optionsFor(t, c, map[string]string{
			"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": asks, "OTEL_RESOURCE_ATTRIBUTES": "team=shop,key=" + secret,
		})
		o.Hide = mask.New([]string{secret})
		tell(t, o, s)
		encoded, err := json.Marshal(c.Spans())
		require.NoError(t, err)
		require.NotContains(t, string(encoded), secret)
		for _, content := range []string{"wisely", "hurry", "I shall", "echo", "a hook says", "enough of"} {
			require.Equal(t, words, bytes.Contains(encoded, []byte(content)), "%s with %q", content, asks)
		}
		require.Equal(t, "shop", c.Spans()[0].Resource["team"])
		require.Equal(t, "bad key [masked]", named(t, c.Spans(), "invoke_agent general").Message)
		if words {
			require.Equal(t, `[{"role":"user","parts":[{"type":"text","content":"use [masked] wisely"}]}]`, named(t, c.Spans(), "invoke_agent general").Facts[keyInput])
			require.Equal(t, `[{"role":"assistant","parts":[{"type":"text","content":"I shall [masked]"}]}]`, named(t, c.Spans(), "chat demo").Facts[keyOutput])
			require.Equal(t, `{"command":"echo [masked]"}`, named(t, c.Spans(), "execute_tool shell").Facts[keyToolArguments])
		}
	}
}

func TestARunThatDidNotComeToItsEndFailedAndOneThatWasStoppedDidNot(t *testing.T) {
	for state, want := range map[lifecycle.State]any{
		lifecycle.StateCompleted: nil, lifecycle.StateCanceledByUser: nil, lifecycle.StateCanceledByAgent: nil,
		lifecycle.StateCompletedEmpty: "completed_empty", lifecycle.StateInterrupted: "interrupted", lifecycle.StateFailed: "rate_limited",
	} {
		end := lifecycle.Ended{State: state}
		if state == lifecycle.StateFailed {
			end.Error = &lifecycle.Failure{Kind: lifecycle.FailRateLimited, Message: "too many"}
		}
		spans := told(t, nil, (&story{}).parentRun("p1").add("root", "p1", end))
		for _, name := range []string{"invoke_agent general", "chat claude"} {
			s := named(t, spans, name)
			require.Equal(t, want, s.Facts[keyError], "%s %s", state, name)
			require.Equal(t, want != nil, s.Failed, "%s %s", state, name)
		}
		require.Equal(t, string(state), named(t, spans, "invoke_agent general").Facts[keyState])
	}
}

func TestWhatIsUnderWayWhenPawlEndsIsInterrupted(t *testing.T) {
	s := (&story{}).parentRun("p1").add("root", "p1", asked(1, 1), lifecycle.ToolStarted{Call: "c", Tool: "shell"})
	spans := told(t, nil, s)
	for _, name := range []string{"invoke_agent general", "execute_tool shell"} {
		one := named(t, spans, name)
		require.Equal(t, "interrupted", one.Facts[keyError], name)
		require.True(t, one.Failed, name)
		require.WithinDuration(t, time.Now(), one.To, time.Minute, name)
	}
}

// Of a session that is opened again only what happens then is told: by the same ids as
// ever, so that nothing is there twice.
func TestASessionThatIsOpenedAgainIsToldOfFromThereOn(t *testing.T) {
	first := delegation()
	before := map[lifecycle.RunID]*lifecycle.Run{"p1": {}, "k1": {}}
	for _, rec := range first.records {
		next, err := before[rec.Run].Apply(rec)
		require.NoError(t, err)
		*before[rec.Run] = next
	}
	old := named(t, told(t, nil, first), "invoke_agent general")

	later := &story{records: first.records}
	later.parentRun("p2").add("root", "p2", asked(1, 1), lifecycle.Ended{State: lifecycle.StateCompleted, Result: "again"})
	later.childRun("k2", "p1", "c1") // a person wrote to the subagent
	later.add("kid", "k2", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "again"})
	c := oteltest.Listen(t)
	o := optionsFor(t, c, nil)
	o.Snapshot.Runs = []lifecycle.Run{*before["p1"], *before["k1"]}
	news := &story{records: later.records[len(first.records):]}
	tell(t, o, news)
	tell(t, o, news)
	spans := c.Spans()
	require.Len(t, spans, 2*5, drawn(spans))
	for i, s := range spans[:5] {
		require.Equal(t, s, spans[5+i], "the same span, whoever tells it")
	}
	parent := named(t, spans, "invoke_agent general")
	require.NotEqual(t, old.Trace, parent.Trace)
	require.Equal(t, []oteltest.Link{{Trace: old.Trace, ID: old.ID, Facts: map[string]any{keyLink: "previous_run"}}}, parent.Links)
	kid := named(t, spans, "invoke_agent explore")
	require.NotEqual(t, parent.Trace, kid.Trace, "its parent's run is over")
	require.Empty(t, kid.Parent)
	require.Equal(t, "started_by", kid.Links[0].Facts[keyLink])
	require.Equal(t, old.Trace, kid.Links[0].Trace)
	require.Equal(t, "previous_run", kid.Links[1].Facts[keyLink])
}

// The process of its run died: who finds it says so, and nobody else does.
func TestARunThatWasFoundDeadIsToldOf(t *testing.T) {
	heard, found := time.Unix(1010, 0), time.Unix(1100, 0)
	dead := lifecycle.Run{
		ID: "p1", Session: "root", Spec: lifecycle.Spec{Root: "root", Type: "general", Model: "demo"}, State: lifecycle.StateInterrupted,
		Cause: lifecycle.CauseProcessEnd, SpawnedAt: time.Unix(1001, 0), HeardAt: heard, EndedAt: found, Seq: 9,
	}
	for since, want := range map[time.Time]int{found: 1, found.Add(time.Second): 0} {
		c := oteltest.Listen(t)
		o := optionsFor(t, c, nil)
		o.Snapshot.Runs, o.Since = []lifecycle.Run{dead}, since
		tell(t, o, &story{})
		require.Len(t, c.Spans(), want)
		if want == 1 {
			require.Equal(t, "invoke_agent general 1-10 failed: interrupted\n", drawn(c.Spans()))
		}
	}
}

func TestAnIncomingTraceIsTheParentAndDecides(t *testing.T) {
	const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	spans := told(t, map[string]string{"TRACEPARENT": traceparent, "TRACESTATE": "ci=job"}, delegation())
	for _, s := range spans {
		require.Equal(t, "0af7651916cd43dd8448eb211c80319c", s.Trace)
		require.Equal(t, "ci=job", s.State)
	}
	require.Equal(t, "b7ad6b7169203331", named(t, spans, "invoke_agent general").Parent)

	unsampled := traceparent[:len(traceparent)-1] + "0"
	require.Empty(t, told(t, map[string]string{"TRACEPARENT": unsampled}, delegation()))
	require.NotEmpty(t, told(t, map[string]string{"TRACEPARENT": unsampled, "OTEL_TRACES_SAMPLER": "always_on"}, delegation()))
}

func TestEventsOfALongRunAreBounded(t *testing.T) {
	s := (&story{}).parentRun("p1")
	for range mostEvents + 3 {
		s.add("root", "p1", lifecycle.Warned{Kind: lifecycle.WarnSilence})
	}
	run := named(t, told(t, nil, s.add("root", "p1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "x"})), "invoke_agent general")
	require.Len(t, run.Events, mostEvents)
	require.Equal(t, 3, run.Forgotten)
}
