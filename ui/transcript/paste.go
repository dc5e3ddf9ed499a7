package transcript

import (
	"slices"
	"strings"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// mostPastes is how many pastes are recognised in the messages that contain them.
const mostPastes = 32

// Pasted notes a text that was pasted into a message and stood folded in it: the message shows it
// folded too. The records do not say what was pasted, so it is known until Pawl quits.
func (r *Runs) Pasted(text string) {
	if strings.TrimSpace(text) == "" || slices.Contains(r.pastes, text) {
		return
	}
	r.pastes = append(r.pastes[max(0, len(r.pastes)-mostPastes+1):], text)
}

// pastesIn are the pastes that a message contains. A message has no white space around it.
func (r *Runs) pastesIn(message string) []string {
	var found []string
	for _, paste := range r.pastes {
		for _, text := range []string{paste, strings.TrimSpace(paste)} {
			if strings.Contains(message, text) {
				found = append(found, text)
				break
			}
		}
	}
	return found
}

// folded is a message with a mark in the place of each paste, and the marks in their order.
func folded(message string, pastes []string) (string, []sanitize.Text) {
	var b strings.Builder
	var marks []sanitize.Text
	for {
		at, first := len(message), ""
		for _, paste := range pastes {
			if i := strings.Index(message, paste); i >= 0 && (i < at || i == at && len(paste) > len(first)) {
				at, first = i, paste
			}
		}
		if first == "" {
			b.WriteString(message)
			return b.String(), marks
		}
		mark := draw.PasteMark(len(marks)+1, first)
		marks = append(marks, mark)
		b.WriteString(message[:at] + string(mark))
		message = message[at+len(first):]
	}
}
