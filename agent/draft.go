package agent

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"pawl/lifecycle"
)

// draft is an answer while it streams in. It reports each piece as progress and records
// the text once a second, so that a crash loses at most a second of it.
type draft struct {
	port Port
	step int
	// activity is set for requests outside the steps. Then only the activity is shown, and
	// nothing of the answer is recorded.
	activity string
	// summarizing is since when a summary is made, of a request for one.
	summarizing time.Time

	mu            sync.Mutex
	texts         strings.Builder
	thoughts      strings.Builder
	call          string
	savedText     int // bytes of texts recorded so far
	savedThoughts int // bytes of thoughts recorded so far
	timer         *time.Timer
	failed        error
}

// checkpoint is how often streamed text is recorded.
const checkpoint = time.Second

func (a *draft) write(d Delta) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.texts.WriteString(d.Text)
	a.thoughts.WriteString(d.Thinking)
	if d.Call != "" {
		a.call = d.Call
	}
	if d == (Delta{}) {
		return
	}
	p := a.empty()
	p.OutputTokens = int64(a.texts.Len()+a.thoughts.Len()) / bytesPerToken
	if a.activity != "" {
		a.port.Report(p)
		return
	}
	if d.Search != nil && a.failed == nil { // it is done, whatever becomes of the answer
		a.failed = a.port.Record(nil, append(a.unsaved(a.thoughts.String(), a.texts.String()), *d.Search)...)
	}
	p.Text, p.Thinking = a.texts.String(), a.thoughts.String()
	if a.call != "" {
		p.Activity = "writing a call of " + a.call
	}
	a.port.Report(p)
	if a.timer == nil {
		a.timer = time.AfterFunc(checkpoint, a.save)
	}
}

// empty is the progress before anything has come.
func (a *draft) empty() lifecycle.Progress {
	return lifecycle.Progress{Step: a.step, Activity: a.activity, Summarizing: a.summarizing}
}

// save records what came since the last time.
func (a *draft) save() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timer = nil
	if events := a.unsaved(a.thoughts.String(), a.texts.String()); len(events) > 0 && a.failed == nil {
		a.failed = a.port.Record(nil, events...)
	}
}

// unsaved returns events for the parts of the texts that are not recorded yet, and counts
// them as recorded. They are copies: newest records stay in memory, and a piece would keep all
// that was said before it. The caller holds the lock.
func (a *draft) unsaved(thoughts, text string) []lifecycle.Event {
	var events []lifecycle.Event
	if len(thoughts) > a.savedThoughts {
		events = append(events, lifecycle.Thinking{Text: strings.Clone(thoughts[a.savedThoughts:])})
		a.savedThoughts = len(thoughts)
	}
	if len(text) > a.savedText {
		events = append(events, lifecycle.Text{Text: strings.Clone(text[a.savedText:])})
		a.savedText = len(text)
	}
	return events
}

// rest returns events for what the checkpoints have not recorded of a complete message.
func (a *draft) rest(m Message) []lifecycle.Event {
	a.mu.Lock()
	defer a.mu.Unlock()
	text, thoughts := m.Text(), a.thoughts.String()
	if !strings.HasPrefix(text, a.texts.String()[:a.savedText]) {
		text = a.texts.String() // the pieces differ from the whole; people saw the pieces
	}
	return a.unsaved(thoughts, text)
}

func (a *draft) text() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.texts.String()
}

func (a *draft) err() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.failed
}

// stop ends the checkpoints.
func (a *draft) stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.timer != nil {
		a.timer.Stop()
		a.timer = nil
	}
}

// discard removes an attempt from the screen, and records why there will be another and
// what this one cost.
func (a *draft) discard(err error, wait time.Duration, attempt int, lost lifecycle.Usage) {
	a.takeBack(lost, lifecycle.Waiting{Why: again(err, wait), For: wait, Attempt: attempt})
}

// restart removes what has come from the screen, because another model or another question is asked, and records
// why and what it has cost.
func (a *draft) restart(lost lifecycle.Usage, why string) {
	a.takeBack(lost, lifecycle.Waiting{Why: why})
}

func (a *draft) takeBack(lost lifecycle.Usage, why lifecycle.Waiting) {
	a.stop()
	a.mu.Lock()
	defer a.mu.Unlock()
	why.Discarded = a.texts.Len()+a.thoughts.Len() > 0 && a.activity == ""
	a.texts.Reset()
	a.thoughts.Reset()
	a.call, a.savedText, a.savedThoughts = "", 0, 0
	a.port.Report(a.empty())
	var events []lifecycle.Event
	if lost != (lifecycle.Usage{}) {
		events = append(events, lifecycle.UsageReported{Usage: lost})
	}
	events = append(events, why)
	if failed := a.port.Record(nil, events...); failed != nil && a.failed == nil {
		a.failed = failed
	}
}

// again says why a request is repeated, and when.
func again(err error, wait time.Duration) string {
	if wait <= 0 {
		return err.Error() + "; asking again"
	}
	return fmt.Sprintf("%s; asking again in %s", err, round(wait))
}

// round rounds a wait for display.
func round(wait time.Duration) time.Duration {
	if wait >= 10*time.Second {
		return wait.Round(time.Second)
	}
	return wait.Round(100 * time.Millisecond)
}
