package script

import (
	"html"
	"strconv"
	"strings"

	"pawl/lifecycle"
)

// notice is a notification as a model reads it.
type notice struct {
	agent       lifecycle.SessionID
	call        lifecycle.CallID
	kind        string // empty for a subagent
	description string
	clause      string // what Pawl says of the state, to follow the name: "completed."
	state       lifecycle.State
	remaining   int
	allTerminal bool
	partial     bool
	result      string
}

// parseNotice reads a message as a notification. A model has nothing but the
// text to tell one by; that nobody can type one is the store's business.
func parseNotice(text string) (notice, bool) {
	_, body, ok := strings.Cut(text, "<task-notification>")
	if !ok {
		return notice{}, false
	}
	n := notice{
		agent:       lifecycle.SessionID(element(body, "task-id")),
		call:        lifecycle.CallID(element(body, "tool-use-id")),
		kind:        element(body, "kind"),
		state:       lifecycle.State(element(body, "status")),
		allTerminal: element(body, "all-terminal") == "true",
		partial:     strings.Contains(element(body, "note"), "partial"),
		result:      element(body, "result"),
	}
	n.remaining, _ = strconv.Atoi(element(body, "remaining")) // what is no number is none
	n.description, n.clause = parseSummary(element(body, "summary"))
	return n, n.state != ""
}

// element is the text of the first element of this name. Nothing inside one is
// an element: Pawl escapes it.
func element(body, name string) string {
	_, rest, ok := strings.Cut(body, "<"+name+">")
	if !ok {
		return ""
	}
	text, _, ok := strings.Cut(rest, "</"+name+">")
	if !ok {
		return ""
	}
	return html.UnescapeString(text)
}

// parseSummary parts `Agent "audit refunds" completed.` into the description and
// what is said of it.
func parseSummary(summary string) (description, clause string) {
	rest := strings.TrimPrefix(summary, "Agent ")
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return "", strings.TrimSpace(summary)
	}
	description, err = strconv.Unquote(quoted)
	if err != nil {
		return "", strings.TrimSpace(summary)
	}
	return description, strings.TrimSpace(rest[len(quoted):])
}
