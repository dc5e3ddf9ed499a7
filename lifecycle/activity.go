package lifecycle

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"pawl/internal/words"
)

// quiet is how long a run may show nothing before its activity says for how long it has been
// silent. Models often take almost as long to answer.
const quiet = 10 * time.Second

// Activity is one line: what a run is doing at the time now or, after some time without a
// sign of it, why it is silent and for how long.
func (r Run) Activity(p Progress, now time.Time) string {
	if p.Step != r.Step {
		p = Progress{} // left over from an earlier step
	}
	switch {
	case r.State == StateQueued:
		return "waiting for a slot"
	case r.State.Terminal() && r.Shell():
		return r.lastLineOfShell()
	case r.State.Terminal():
		return words.FirstLine(r.lastLine())
	case !r.StopRequestedAt.IsZero():
		return "stopping"
	case r.Shell():
		return r.shellActivity(p, now)
	case len(r.Asked) > 0:
		return "waiting for you: " + r.Asked[0].Tool + " " + r.Asked[0].Subject
	case r.Waiting != nil:
		return r.Waiting.words(now.Sub(r.HeardAt))
	case len(r.Tools) > 0:
		return r.toolActivity(p, now)
	case r.Remote() && r.Machine() == "":
		return cmp.Or(p.Activity, "waiting for a worker")
	}
	return r.modelActivity(p, now)
}

// Silence is for how long there was no sign of a run, neither a record of its own nor
// progress; 0 while that is no longer than quiet.
func (r Run) Silence(p Progress, now time.Time) time.Duration {
	if silent := min(now.Sub(r.HeardAt), now.Sub(p.At)); silent >= quiet {
		return silent
	}
	return 0
}

// modelActivity is what the model writes or, once it is silent, that the run waits for it.
func (r Run) modelActivity(p Progress, now time.Time) string {
	silent := r.Silence(p, now)
	switch {
	case p.Activity != "":
		return p.Activity
	case silent > 0:
		return "waiting for the model " + words.Duration(silent)
	case p.Text != "":
		return cmp.Or(words.LastSaid(p.Text), "writing")
	case p.Thinking != "":
		return "thinking: " + words.LastLine(p.Thinking)
	case r.TextStep == r.Step && r.Partial != "":
		return cmp.Or(words.LastSaid(r.Partial), "writing")
	}
	return "waiting for the model"
}

// toolActivity is the newest open call, with what it says, or for how long it has
// said nothing.
func (r Run) toolActivity(p Progress, now time.Time) string {
	open := r.Tools[len(r.Tools)-1]
	line := strings.TrimSpace(open.Tool + " " + open.Label)
	if more := len(r.Tools) - 1; more > 0 {
		line += fmt.Sprintf(" (+%d)", more)
	}
	if silent := min(now.Sub(open.Since), now.Sub(p.At)); silent >= quiet {
		return line + " silent " + words.Duration(silent)
	}
	if p.Activity != "" {
		return line + " · " + p.Activity
	}
	return line
}

// shellActivity is the last line that a command wrote.
func (r Run) shellActivity(p Progress, now time.Time) string {
	silent := r.Silence(p, now)
	switch {
	case silent == 0:
		return cmp.Or(p.Activity, "no output yet")
	case p.Activity == "":
		return "silent " + words.Duration(silent)
	}
	return p.Activity + " · silent " + words.Duration(silent)
}

// words says why a run waits, and when it goes on. passed is the time since the record.
func (w Waiting) words(passed time.Duration) string {
	reason, _, _ := strings.Cut(w.Why, "; asking")
	switch left := w.For - passed; {
	case w.For == 0 && passed < quiet:
		return w.Why
	case w.For == 0 && reason == w.Why:
		return w.Why + " " + words.Duration(passed)
	case left > 0:
		return fmt.Sprintf("%s, again in %s", reason, words.Duration(max(time.Second, left.Round(time.Second))))
	case -left < quiet:
		return reason + ", asked again"
	default:
		return fmt.Sprintf("%s, asked again %s ago", reason, words.Duration(-left))
	}
}

// lastLine is the line an ended run leaves.
func (r Run) lastLine() string {
	switch {
	case r.Error != nil:
		return r.Error.Line()
	case r.State == StateCanceledByAgent && r.Reason != "":
		return r.Status().Words(ForCard) + ": " + r.Reason
	case r.State == StateCompleted:
		return r.Output()
	}
	return r.Status().Words(ForCard)
}
