package hook

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pawl/agent"
	"pawl/internal/words"
)

// MaxOutput is how much of a program's standard output is read, in bytes.
const MaxOutput = 64 << 10

// How much a model gets of a reason and of a context, in characters: of a reason what a
// failed test says, of a context about a page of instructions.
const (
	maxReason  = 4_000
	maxContext = 10_000
	maxStatus  = 300 // of a line about a hook
)

// noReason stands where a hook says no and nothing else.
const noReason = "it gave no reason"

// exitDeny is the exit code of a no.
const exitDeny = 2

// Exit is how a hook's program ended.
type Exit struct {
	Code     int
	Stdout   string        // at most LongestAnswer
	Long     bool          // it wrote more
	Stderr   string        // its end, where it is long
	TimedOut time.Duration // 0: it did not
	Err      error         // it could not be started, or nobody knows how it ended
}

// Judge says what a hook wants. The error is one line that says how it failed.
func Judge(event agent.HookEvent, ran Exit) (agent.HookResult, error) {
	said := strings.TrimSpace(ran.Stderr)
	switch {
	case ran.Err != nil:
		return agent.HookResult{}, ran.Err
	case ran.TimedOut > 0:
		return agent.HookResult{}, fmt.Errorf("it did not finish within %s", ran.TimedOut)
	case ran.Code == exitDeny:
		if said == "" {
			said = noReason
		}
		r := agent.HookResult{Decision: agent.HookDeny, Reason: clip(said, maxReason)}
		return r, checkAllowed(event, r)
	case ran.Code != 0:
		text := fmt.Sprintf("exit code %d", ran.Code)
		if said != "" {
			text += ": " + words.Cut(words.LastLine(said), maxStatus)
		}
		return agent.HookResult{}, errors.New(text)
	case ran.Long:
		return agent.HookResult{}, fmt.Errorf("its answer is longer than %d KB", MaxOutput>>10)
	}
	return parseAnswer(event, ran.Stdout)
}

// Failed is what a failure of a hook means: a warning, and before a call a question to
// a person. Never a yes.
func Failed(s Spec, why error) agent.HookResult {
	line := fmt.Sprintf("the %s hook %s failed: %s", s.Event, s.Name(), words.Cut(words.LastLine(why.Error()), maxStatus))
	r := agent.HookResult{Warnings: []string{line}}
	if s.Event == agent.HookPreToolUse {
		r.Decision, r.Reason = agent.HookAsk, line
	}
	return r
}

// Merge is what several rulings come to. The strictest decides, with the reasons of
// those that are as strict; what they tell the model and people is all told, in order.
func Merge(all []agent.HookResult) agent.HookResult {
	var out agent.HookResult
	for _, r := range all {
		if weight(r.Decision) > weight(out.Decision) {
			out.Decision = r.Decision
		}
	}
	var reasons, contexts []string
	for _, r := range all {
		if r.Decision == out.Decision && r.Reason != "" && !slices.Contains(reasons, r.Reason) {
			reasons = append(reasons, r.Reason)
		}
		if r.Context != "" {
			contexts = append(contexts, r.Context)
		}
		out.Warnings = append(out.Warnings, r.Warnings...)
	}
	out.Reason, out.Context = clip(strings.Join(reasons, "; "), maxReason), clip(strings.Join(contexts, "\n"), maxContext)
	return out
}

func weight(d agent.HookDecision) int {
	return slices.Index([]agent.HookDecision{agent.HookPass, agent.HookAllow, agent.HookAsk, agent.HookDeny}, d)
}

// clip is valid text of a length that a conversation bears.
func clip(text string, most int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if short := words.First(text, most); short != text {
		return short + "… (the rest was cut off)"
	}
	return text
}
