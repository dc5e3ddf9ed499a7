package otel

import (
	"encoding/json"

	"go.opentelemetry.io/otel/trace"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// finish completes the span of a run that is over and sends it. rec is the run's end.
func (t *tree) finish(r *running, rec lifecycle.Record) {
	s := r.span
	s.SpanKind, s.StartTime, s.EndTime = trace.SpanKindInternal, r.SpawnedAt, rec.Time
	if s.EndTime.Before(s.StartTime) { // the clock was set back
		s.EndTime = s.StartTime
	}
	if r.Shell() {
		s.Name = "background shell"
	} else {
		s.Name = "invoke_agent " + t.hidden(r.Type)
		s.add(keyOperation, "invoke_agent")
		t.model(&s, r.Run)
		s.add(keyAgentAbout, t.hidden(r.Description))
		usage(&s, r.Usage)
		s.add(keySteps, int64(r.Usage.Steps))
		s.add(keyToolCalls, int64(r.Usage.ToolCalls))
	}
	t.whose(&s, r.Run)
	s.add(keyState, string(r.State))
	s.add(keyCause, string(r.Cause))
	s.add(keyTrigger, string(r.Trigger))
	s.add(keyIsolation, string(r.Isolation))
	if r.Placed != nil {
		s.add(keyMachine, t.hidden(r.Placed.Machine))
	}
	s.add(keyBackground, r.Background)
	if r.first > 0 {
		s.add(keyFirstRecord, int64(r.first))
	}
	s.add(keyLastRecord, int64(rec.Seq))
	if t.Config.Content && !r.Shell() {
		s.add(keyInput, t.content("user", r.Prompt))
		s.add(keyOutput, t.content("assistant", r.Output()))
	}
	t.verdict(&s, r.Run)
	t.emit(s)
}

// verdict marks the span of a run that failed or was interrupted. One that somebody stopped did
// not fail.
func (t *tree) verdict(s *span, run lifecycle.Run) {
	switch run.State {
	case lifecycle.StateFailed:
		kind, message := "_OTHER", ""
		if run.Error != nil {
			kind, message = string(run.Error.Kind), t.hidden(run.Error.Message)
		}
		s.fail(kind, message)
	case lifecycle.StateInterrupted, lifecycle.StateCompletedEmpty:
		s.fail(string(run.State), run.State.Words(lifecycle.ForPerson))
	case lifecycle.StateQueued, lifecycle.StateRunning, lifecycle.StateCompleted,
		lifecycle.StateCanceledByUser, lifecycle.StateCanceledByAgent:
	}
}

func (t *tree) whose(s *span, run lifecycle.Run) {
	s.add(keyConversation, string(t.ledger.Root()))
	if !run.Shell() {
		s.add(keyAgentID, string(run.Session))
		s.add(keyAgentName, t.hidden(run.Type))
	}
	s.add(keyRun, string(run.ID))
}

func (t *tree) model(s *span, run lifecycle.Run) {
	maker, name := providerAndName(run.Model)
	s.add(keyProvider, t.hidden(maker))
	s.add(keyModel, t.hidden(name))
	if t.Server == nil {
		return
	}
	if host, port := t.Server(run.Model); host != "" {
		s.add(keyServer, t.hidden(host))
		s.add(keyPort, int64(port))
	}
}

// providerAndName splits a model into its provider, by the name in the conventions if they have one, and
// its own name.
func providerAndName(model string) (maker, name string) {
	maker, name = agent.SplitModel(model)
	if name == "" {
		name = maker // the demo has no provider
	}
	switch maker {
	case "openai-chat":
		maker = "openai"
	case "gemini":
		maker = "gcp.gemini"
	}
	return maker, name
}

func usage(s *span, u lifecycle.Usage) {
	s.add(keyInputTokens, u.InputTokens)
	s.add(keyOutputTokens, u.OutputTokens)
	if u.CachedTokens > 0 {
		s.add(keyCacheRead, u.CachedTokens)
	}
	if u.CacheWriteTokens > 0 {
		s.add(keyCacheWritten, u.CacheWriteTokens)
	}
	if u.Estimated() {
		s.add(keyEstimated, u.EstimatedTokens)
	}
	if u.Cost > 0 {
		s.add(keyCost, u.Cost)
	}
}

// hidden is a text that may be sent: masked and cut.
func (t *tree) hidden(text string) string { return words.CutBytes(t.Hide.Text(text), longest) }

// content is one message of a conversation in the format of the conventions; empty for an empty
// text.
func (t *tree) content(role, text string) string {
	if text == "" {
		return ""
	}
	type part struct {
		Type    string `json:"type"`
		Content string `json:"content"`
	}
	type message struct {
		Role  string `json:"role"`
		Parts []part `json:"parts"`
	}
	encoded, err := json.Marshal([]message{{role, []part{{"text", t.hidden(text)}}}})
	if err != nil { // strings can always be encoded
		panic("otel: write a message: " + err.Error())
	}
	return string(encoded)
}
