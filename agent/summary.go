package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pawl/lifecycle"
)

// Limits of a summary, in bytes.
const (
	maxPiece    = 40_000 // for one text, unless the model's context is small
	maxSaid     = 8_000  // for earlier messages, newest first
	maxLastText = 4_000  // for the model's last text, if Pawl writes the summary
	minShare    = 500    // for each unanswered message, however many there are
)

// summaryOpening is the first line of every summary. It is the stored kind of the entry,
// not this text, that makes it one.
const summaryOpening = "Pawl wrote this message, not a human. The conversation had become long, so this summary stands for all of it. The log keeps every word, for the user to read.\n"

// IsSummary recognizes a summary by its text. Scripted models use it; they see nothing else.
func IsSummary(m Message) bool { return strings.HasPrefix(m.Text(), summaryOpening) }

// maxCallsNamed bounds the list of calls in a summary that Pawl writes.
const maxCallsNamed = 50

// maxPieceSize bounds one text in a summary: a quarter of the model's room, at four bytes
// a token.
func (t *activeRun) maxPieceSize() int {
	if room := t.info.room(); room > 0 {
		return int(min(room, maxPiece))
	}
	return maxPiece
}

// summary is the message that replaces the conversation: the summary's text and, verbatim,
// what must not be lost.
func (t *activeRun) summary(words string) string {
	var b strings.Builder
	b.WriteString(summaryOpening)
	section := func(title, text string) {
		if text = strings.TrimSpace(text); text != "" {
			fmt.Fprintf(&b, "\n# %s\n\n%s\n", title, text)
		}
	}
	section("Summary", words)
	open := t.open()
	section("The newest messages to you, word for word, oldest first", t.said(open))
	if t.kit.Standing != nil {
		section("What stands", t.kit.Standing())
	}
	section("Your subagents and shells", t.openRuns())
	switch {
	case len(open) > 0:
		share := max(minShare, t.maxPieceSize()/len(open))
		for i, text := range open {
			open[i] = quoted(headAndTail(text, share))
		}
		section("Not answered yet: these came after your last answer", strings.Join(open, "\n"))
	case t.run.Trigger != lifecycle.TriggerCompact:
		section("Now", "You are in the middle of your work. Go on with what is left.")
	}
	return b.String()
}

// open lists the messages after the model's last answer and its results, oldest first,
// without an earlier summary.
func (t *activeRun) open() []string {
	var texts []string
	for i := len(t.messages) - 1; i >= 0 && t.messages[i].Role == RoleUser; i-- {
		if i > 0 || !t.summarized {
			texts = append(texts, t.messages[i].Text())
		}
	}
	slices.Reverse(texts)
	return texts
}

// openImages lists the images of the messages after the model's last answer, oldest first, with
// those of an earlier summary: nobody can say in words what they show.
func (t *activeRun) openImages() (images []Image) {
	for _, m := range slices.Backward(t.messages) {
		if m.Role != RoleUser {
			break
		}
		var own []Image
		for _, part := range m.Parts {
			if part.Image != nil {
				own = append(own, *part.Image)
			}
		}
		images = append(own, images...)
	}
	return images
}

// said is the newest messages of people or the parent, without those that stand elsewhere
// in the summary.
func (t *activeRun) said(elsewhere []string) string {
	words := t.userTexts
	for len(words) > 0 && slices.Contains(elsewhere, words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	var kept []string
	left := maxSaid
	for i, text := range slices.Backward(words) {
		if i == len(words)-1 {
			text = headAndTail(text, t.maxPieceSize()) // the newest, whatever its length
		} else if len(text) > left {
			break
		}
		left -= len(text)
		kept = append(kept, quoted(text))
	}
	slices.Reverse(kept)
	return strings.Join(kept, "\n")
}

func quoted(text string) string { return "<message>\n" + strings.TrimSpace(text) + "\n</message>" }

// textsSaid lists the messages of people or the parent's model in these entries.
func textsSaid(entries []lifecycle.Entry) []string {
	var words []string
	for _, entry := range entries {
		var said lifecycle.Said
		if entry.Kind != lifecycle.EntryUser || json.Unmarshal(entry.Body, &said) != nil {
			continue // unreadable entries have already ended the run
		}
		if said.From != lifecycle.FromPawl {
			words = append(words, said.Text+commandText(said.Attached))
		}
	}
	return words
}

// lastSummary returns the text of the newest summary in these entries. found reports
// whether there is one.
func lastSummary(entries []lifecycle.Entry) (words string, found bool) {
	for _, entry := range slices.Backward(entries) {
		if entry.Kind != lifecycle.EntrySummary {
			continue
		}
		var body summaryBody
		_ = json.Unmarshal(entry.Body, &body) // as above
		return cmp.Or(body.Words, body.Text), true
	}
	return "", false
}

// summaryWithoutModel is made of the last summary, the model's last text and its calls.
func (t *activeRun) summaryWithoutModel() string {
	var b strings.Builder
	if t.hasAnswers() {
		b.WriteString("The model could not summarize the conversation. This is what Pawl itself knows of it.\n")
	} else {
		b.WriteString("What you were asked was too long for you, so it is cut.\n")
	}
	if t.priorSummary != "" {
		fmt.Fprintf(&b, "\nThe summary before this one:\n\n%s\n", headAndTail(t.priorSummary, t.maxPieceSize()/2))
	}
	var last string
	var calls []string
	for _, m := range t.messages {
		if m.Role != RoleAssistant {
			continue
		}
		if text := strings.TrimSpace(m.Text()); text != "" {
			last = text
		}
		for _, call := range m.Calls() {
			line := brief(call.Name + " " + t.label(call))
			calls = append(slices.DeleteFunc(calls, func(other string) bool { return other == line }), line)
		}
	}
	if last != "" {
		fmt.Fprintf(&b, "\nYour last text:\n\n%s\n", headAndTail(last, maxLastText))
	}
	if len(calls) > 0 {
		fmt.Fprintf(&b, "\nYour tool calls, the newest last, the same ones once:\n\n- %s\n", strings.Join(calls[max(0, len(calls)-maxCallsNamed):], "\n- "))
	}
	return b.String()
}
