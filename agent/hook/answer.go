package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"pawl/agent"
	"pawl/internal/words"
)

// answer is what a hook's program may write: first Pawl's own form, then that of hooks
// written for Claude Code.
type answer struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
	Context  string `json:"additionalContext"`
	Message  string `json:"systemMessage"` // for people

	Specific   *specific `json:"hookSpecificOutput"`
	Continue   *bool     `json:"continue"`
	StopReason string    `json:"stopReason"`
	Suppress   *bool     `json:"suppressOutput"` // Pawl never shows the output
}

type specific struct {
	Event    string           `json:"hookEventName"`
	Decision string           `json:"permissionDecision"`
	Reason   string           `json:"permissionDecisionReason"`
	Context  string           `json:"additionalContext"`
	Request  *requestDecision `json:"decision"`
}

type requestDecision struct {
	Behavior string `json:"behavior"`
	Message  string `json:"message"`
}

// parseAnswer parses the output of a program that exited with 0. Unknown fields are
// errors: one may be a misspelled refusal.
func parseAnswer(event agent.HookEvent, text string) (agent.HookResult, error) {
	text = strings.TrimSpace(text)
	may := powersOf(event)
	isJSON := strings.HasPrefix(text, "{") || may.decides && strings.Contains(text, "{")
	if !isJSON {
		if event == agent.HookSessionStart || event == agent.HookSubagentStart {
			return agent.HookResult{Context: text}, nil
		}
		return agent.HookResult{}, nil
	}
	var a answer
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&a); err != nil {
		return agent.HookResult{}, fmt.Errorf("its answer cannot be read: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return agent.HookResult{}, errors.New("its answer cannot be read: more than one JSON object")
	}
	return a.result(event)
}

// result combines the parts of an answer; the strictest decides.
func (a answer) result(event agent.HookEvent) (agent.HookResult, error) {
	said := []agent.HookResult{{Context: a.Context}}
	add := func(word, reason string) error {
		decision, err := decisionOf(word)
		said = append(said, agent.HookResult{Decision: decision, Reason: reason})
		return err
	}
	err := add(a.Decision, a.Reason)
	if s := a.Specific; s != nil {
		if s.Event != "" && s.Event != string(event) {
			return agent.HookResult{}, fmt.Errorf("it answered for the event %q, but was asked about %s", s.Event, event)
		}
		err = errors.Join(err, add(s.Decision, s.Reason))
		said = append(said, agent.HookResult{Context: s.Context})
		if s.Request != nil {
			err = errors.Join(err, add(s.Request.Behavior, s.Request.Message))
		}
	}
	ending := event == agent.HookStop || event == agent.HookSubagentStop // for these, not continuing means to end, which the run does anyway
	if a.Continue != nil && !*a.Continue && !ending {
		err = errors.Join(err, add("deny", a.StopReason))
	}
	if err != nil {
		return agent.HookResult{}, err
	}
	all := Merge(said)
	if all.Decision == agent.HookDeny && all.Reason == "" {
		all.Reason = noReason
	}
	if a.Message != "" {
		all.Warnings = []string{"a hook says: " + words.Cut(words.LastLine(a.Message), maxStatus)}
	}
	return all, checkAllowed(event, all)
}

// decisionOf parses a decision, by any of its names.
func decisionOf(word string) (agent.HookDecision, error) {
	switch word {
	case "":
		return agent.HookPass, nil
	case "allow", "approve":
		return agent.HookAllow, nil
	case "ask":
		return agent.HookAsk, nil
	case "deny", "block":
		return agent.HookDeny, nil
	}
	return agent.HookPass, fmt.Errorf("unknown decision %q: it must be allow, ask or deny", word)
}

// checkAllowed refuses an answer that has no effect for this event, so that nobody
// believes it worked.
func checkAllowed(event agent.HookEvent, r agent.HookResult) error {
	may := powersOf(event)
	switch {
	case r.Decision == agent.HookDeny && !may.deny:
		return fmt.Errorf("it says no, but a %s hook cannot refuse anything", event)
	case r.Decision == agent.HookAsk && !may.ask:
		return fmt.Errorf("it wants a person to be asked, which a %s hook cannot do", event)
	case r.Decision == agent.HookAllow && !may.allow:
		return nil // there was nothing to allow
	case r.Context != "" && !may.context:
		return fmt.Errorf("it has additionalContext, but no model reads that after %s", event)
	}
	return nil
}
