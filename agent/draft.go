package agent

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"pawl/lifecycle"
)

// draft is an answer in the making. It turns the pieces of an answer into progress, and once a second into
// records, so that a crash loses at most a second of text.
type draft struct {
	port Port
	step int
	// aside is what the run does while it is asked something beside its steps: that
	// activity is all that is shown of the answer, and nothing of it is recorded.
	activity string

	mu            sync.Mutex
	texts         strings.Builder
	thoughts      strings.Builder
	call          string
	savedText     int // bytes of texts that are recorded
	savedThoughts int // bytes of thoughts that are recorded
	timer         *time.Timer
	failed        error
}

// checkpoint is how often streamed text is recorded: the design's once a second.
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
	p := lifecycle.Progress{Step: a.step, OutputTokens: int64(a.texts.Len()+a.thoughts.Len()) / bytesPerToken}
	if a.activity != "" {
		p.Activity = a.activity
		a.port.Report(p)
		return
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

// save records what came since the last time.
func (a *draft) save() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timer = nil
	if events := a.unsaved(a.thoughts.String(), a.texts.String()); len(events) > 0 && a.failed == nil {
		a.failed = a.port.Record(nil, events...)
	}
}

// unsaved lists what of these whole texts is not recorded yet, and counts it as
// recorded. The lock is held.
func (a *draft) unsaved(thoughts, text string) []lifecycle.Event {
	var events []lifecycle.Event
	if len(thoughts) > a.savedThoughts {
		events = append(events, lifecycle.Thinking{Text: thoughts[a.savedThoughts:]})
		a.savedThoughts = len(thoughts)
	}
	if len(text) > a.savedText {
		events = append(events, lifecycle.Text{Text: text[a.savedText:]})
		a.savedText = len(text)
	}
	return events
}

// rest lists what of a whole message the checkpoints have not recorded.
func (a *draft) rest(m Message) []lifecycle.Event {
	a.mu.Lock()
	defer a.mu.Unlock()
	text, thoughts := m.Text(), a.thoughts.String()
	if !strings.HasPrefix(text, a.texts.String()[:a.savedText]) {
		text = a.texts.String() // the provider's whole and its pieces differ: people saw the pieces
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

// discard takes an attempt off the screen, and says why there is another and what
// this one has cost.
func (a *draft) discard(err error, wait time.Duration, attempt int, lost lifecycle.Usage) {
	a.stop()
	a.mu.Lock()
	defer a.mu.Unlock()
	shown := a.texts.Len()+a.thoughts.Len() > 0 && a.activity == ""
	a.texts.Reset()
	a.thoughts.Reset()
	a.call, a.savedText, a.savedThoughts = "", 0, 0
	a.port.Report(lifecycle.Progress{Step: a.step, Activity: a.activity})
	var events []lifecycle.Event
	if lost != (lifecycle.Usage{}) {
		events = append(events, lifecycle.UsageReported{Usage: lost})
	}
	events = append(events, lifecycle.Waiting{Why: again(err, wait), For: wait, Attempt: attempt, Discarded: shown})
	if failed := a.port.Record(nil, events...); failed != nil && a.failed == nil {
		a.failed = failed
	}
}

// again says why a request is made once more, and when.
func again(err error, wait time.Duration) string {
	if wait <= 0 {
		return err.Error() + "; asking again"
	}
	return fmt.Sprintf("%s; asking again in %s", err, round(wait))
}

// round is a wait as people count it.
func round(wait time.Duration) time.Duration {
	if wait >= 10*time.Second {
		return wait.Round(time.Second)
	}
	return wait.Round(100 * time.Millisecond)
}
