package script

import (
	"fmt"
	"strings"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// What the demo shows of a subagent's report: whoever wants it whole opens the
// subagent's session.
const (
	reportLines = 16
	reportRunes = 1200
)

// aboutLaunches tells what became of calls that started subagents.
func aboutLaunches(calls []act) string {
	var lines, running []string
	for _, a := range calls {
		c := family(nil).launched(a)[0]
		r, ok := parseReply(a)
		switch {
		case !ok:
			lines = append(lines, c.fate()+".")
		case r.Status.Terminal():
			lines = append(lines, c.story())
		case r.Status == lifecycle.StateQueued:
			lines = append(lines, fmt.Sprintf("%q waits for a free slot, in place %d.", c.description, max(r.Position, 1)))
			running = append(running, c.description)
		default:
			if !inBackground(a) { // it was to be waited for: Pawl says why it no longer is
				lines = append(lines, fmt.Sprintf("%q goes on: %s.", c.description, firstSentence(r.Message)))
			}
			running = append(running, c.description)
		}
	}
	if len(running) > 0 {
		lines = append(lines, fmt.Sprintf("Under way, each in a session of its own: %s.", strings.Join(running, " · ")), keys,
			"I stop here, and will be woken when they end.")
	}
	return paragraphs(lines)
}

func inBackground(a act) bool {
	return strings.Contains(string(a.call.Input), `"run_in_background":true`)
}

// summary is the end of a fan-out: how each ended, and what it reported.
func (f family) summary() string {
	if len(f) == 0 {
		return "None of my subagents is queued or running any more."
	}
	parts := []string{f.tally()}
	for _, c := range f {
		if c.alive() {
			parts = append(parts, fmt.Sprintf("How %q ended I was not told.", c.description))
		} else {
			parts = append(parts, c.story())
		}
	}
	return paragraphs(append(parts, "A script put this together from what they reported, and added nothing. "+more))
}

// tally counts the states: "… any more: 2 completed, 1 canceled_by_user."
func (f family) tally() string {
	counts := map[lifecycle.State]int{}
	untold := 0
	for _, c := range f {
		counts[c.state]++
		if c.alive() {
			untold++
		}
	}
	var words []string
	told := 0
	for _, state := range lifecycle.States() {
		if n := counts[state]; n > 0 && state.Terminal() {
			words = append(words, fmt.Sprintf("%d %s", n, state))
			told += n
		}
	}
	if strange := len(f) - told - untold; strange > 0 {
		words = append(words, fmt.Sprintf("%d in a state that this script does not know", strange))
	}
	if untold > 0 {
		words = append(words, fmt.Sprintf("of %d I was not told the end", untold))
	}
	return "None of them is queued or running any more: " + strings.Join(words, ", ") + "."
}

// story is how one ended and what it left, at a length that can be read.
func (c child) story() string {
	head := c.fate() + "."
	output := strings.TrimSpace(c.output)
	switch {
	case output == "" || output == "(there was no text)":
		return head
	case c.state == lifecycle.StateCompleted && !c.partial:
		return head + "\n\n" + excerpt(output)
	}
	return head + " What it had said until then:\n\n" + excerpt(output)
}

// excerpt is the beginning of a report, and says so.
func excerpt(text string) string {
	lines := strings.Split(text, "\n")
	cut := len(lines) > reportLines
	text = strings.Join(lines[:min(len(lines), reportLines)], "\n")
	if short := words.First(text, reportRunes); short != text {
		text, cut = short, true
	}
	if cut {
		text += "\n\n… (the rest stands in its own session)"
	}
	return text
}
