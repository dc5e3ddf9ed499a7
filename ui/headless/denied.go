package headless

import (
	"fmt"
	"io"

	"pawl/lifecycle"
)

// denials are the calls of a session that were denied for this prompt.
func (l *ledger) denials(of lifecycle.SessionID) []lifecycle.Denial {
	var denials []lifecycle.Denial
	for run := range l.Runs() {
		if !l.old[run.ID] && run.Session == of {
			denials = append(denials, run.Denials...)
		}
	}
	return denials
}

// tellDenied names what was denied, one line each, and what would have allowed it.
func tellDenied(errors io.Writer, who string, denials []lifecycle.Denial) {
	for _, r := range lifecycle.Refusals(lifecycle.Run{Denials: denials}) {
		why := "nobody was there to ask: a rule or a mode can allow it"
		if r.By != lifecycle.DeciderNobody {
			why = r.Reason
		}
		times := ""
		if r.Times > 1 {
			times = fmt.Sprintf(", %d times", r.Times)
		}
		tell(errors, "%s was denied %s %q%s: %s", who, r.Tool, r.Subject, times, why)
	}
}
