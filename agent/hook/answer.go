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

// answer is what a program may write. The upper half is Pawl's own form, the lower one
// that of hooks which were written for Claude Code.
type answer struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
	Context  string `json:"additionalContext"`
	Message  string `json:"systemMessage"` // for people

	Specific   *specific `json:"hookSpecificOutput"`
	Continue   *bool     `json:"continue"`
	StopReason string    `json:"stopReason"`
	Suppress   *bool     `json:"suppressOutput"` // nothing of it is shown anyway
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

// parseAnswer reads what a program wrote that ended well. The error says why it is no
// answer: an unknown field may be a misspelled no.
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

// result joins all that an answer says; the strictest of it counts.
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
	ending := event == agent.HookStop || event == agent.HookSubagentStop // where not to go on is to end, as the run does
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

// decisionOf reads a decision by any of the names that it goes by.
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

// checkAllowed refuses an answer that the event has no room for: what a hook wants and does not
// get must not pass for done.
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
