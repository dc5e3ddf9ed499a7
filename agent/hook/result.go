package hook

import (
	"cmp"
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

// How much of a reason and of a context a model gets, in characters: enough for a failed
// test, and for a page of instructions.
const (
	maxReason  = 4_000
	maxContext = 10_000
	maxStatus  = 300 // of a line about a hook
)

// noReason is the reason of a refusal without one.
const noReason = "it gave no reason"

// exitDeny is the exit code that denies.
const exitDeny = 2

// Exit is how a hook's program ended.
type Exit struct {
	Code     int
	Stdout   string        // at most MaxOutput
	Long     bool          // there was more
	Stderr   string        // the end of it
	TimedOut time.Duration // 0: it did not time out
	Err      error         // it could not be started, or its end is unknown
}

// Judge turns a program's exit into a result. The error says in one line how the hook failed.
func Judge(event agent.HookEvent, ran Exit) (agent.HookResult, error) {
	said := strings.TrimSpace(ran.Stderr)
	switch {
	case ran.Err != nil:
		return agent.HookResult{}, ran.Err
	case ran.TimedOut > 0:
		return agent.HookResult{}, fmt.Errorf("it did not finish within %s", ran.TimedOut)
	case ran.Code == exitDeny:
		r := agent.HookResult{Decision: agent.HookDeny, Reason: clip(cmp.Or(said, noReason), maxReason)}
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

// Failed is the result of a failed hook: a warning and, before a call, a question to a
// person. It never allows.
func Failed(s Spec, why error) agent.HookResult {
	line := fmt.Sprintf("the %s hook %s failed: %s", s.Event, s.Name(), words.Cut(words.LastLine(why.Error()), maxStatus))
	r := agent.HookResult{Warnings: []string{line}}
	if s.Event == agent.HookPreToolUse {
		r.Decision, r.Reason = agent.HookAsk, line
	}
	return r
}

// Merge combines several results. The strictest decision wins, with the reasons of all
// that are as strict. Contexts and warnings are all kept, in order.
func Merge(all []agent.HookResult) agent.HookResult {
	var out agent.HookResult
	if len(all) > 0 {
		out.Decision = slices.MaxFunc(all, func(a, b agent.HookResult) int { return weight(a.Decision) - weight(b.Decision) }).Decision
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

// clip returns valid UTF-8 of at most most characters, plus a note if it was cut.
func clip(text string, most int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if short := words.First(text, most); short != text {
		return short + "… (the rest was cut off)"
	}
	return text
}
