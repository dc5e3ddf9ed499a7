package agent

import (
	"fmt"
	"slices"

	"pawl/lifecycle"
)

// Transcript turns a session's entries, in the order in which they were written, into the
// messages that a model is shown. Results follow the assistant message with their calls,
// in the order of the calls. A summary replaces everything before it, and a rewind what was
// said after the point that it goes back to.
func Transcript(entries []lifecycle.Entry) ([]Message, error) {
	entries, err := Current(entries)
	if err != nil {
		return nil, err
	}
	return messagesOf(entries)
}

// messagesOf is Transcript for entries of which nothing is taken back.
func messagesOf(entries []lifecycle.Entry) ([]Message, error) {
	var messages []Message
	for _, entry := range entries {
		m, err := DecodeEntry(entry)
		if err != nil {
			return nil, err
		}
		switch entry.Kind {
		case lifecycle.EntrySummary:
			messages = []Message{m}
		case lifecycle.EntryToolResult:
			if err := place(messages, m); err != nil {
				return nil, err
			}
			messages = joinResult(messages, m)
		case lifecycle.EntryUser, lifecycle.EntryAssistant, lifecycle.EntryNotification:
			messages = append(messages, m)
		case lifecycle.EntryRewind:
			if m.Text() != "" {
				messages = append(messages, m)
			}
		}
	}
	sortResults(messages)
	return messages, nil
}

// sortResults puts the results of each answer in the order of its calls.
func sortResults(messages []Message) {
	for i := range messages {
		if messages[i].Role == RoleTool {
			inOrder(messages[i-1].Calls(), messages[i].Parts)
		}
	}
}

// place checks that a result has its call in the newest assistant message.
func place(messages []Message, result Message) error {
	id := result.Parts[0].Result.Call
	if i := newestAnswer(messages); i >= 0 && slices.ContainsFunc(messages[i].Calls(), func(call Call) bool { return call.ID == id }) {
		return nil
	}
	return fmt.Errorf("read transcript: a result for call %s, which the newest answer did not make", id)
}

// joinResult adds a result to the tool message after its assistant message.
func joinResult(messages []Message, result Message) []Message {
	for i, m := range slices.Backward(messages) {
		switch m.Role {
		case RoleTool:
			messages[i].Parts = append(messages[i].Parts, result.Parts...)
			return messages
		case RoleAssistant:
			// After the call, before what was said meanwhile.
			rest := append([]Message{result}, messages[i+1:]...)
			return append(messages[:i+1:i+1], rest...)
		case RoleUser:
		}
	}
	return append(messages, result)
}

// inOrder sorts results into the order of their calls.
func inOrder(calls []Call, results []Part) {
	next := 0
	for _, call := range calls {
		for i := next; i < len(results); i++ {
			if results[i].Result.Call == call.ID {
				results[next], results[i] = results[i], results[next]
				next++
				break
			}
		}
	}
}

// Unanswered lists the calls of the newest assistant message that have no result, as a
// crash leaves them.
func Unanswered(messages []Message) []Call {
	i := newestAnswer(messages)
	if i < 0 {
		return nil
	}
	answered := map[lifecycle.CallID]bool{}
	for _, later := range messages[i+1:] {
		for _, part := range later.Parts {
			if part.Result != nil {
				answered[part.Result.Call] = true
			}
		}
	}
	return slices.DeleteFunc(messages[i].Calls(), func(call Call) bool { return answered[call.ID] })
}

// newestAnswer is the position of the newest assistant message; -1 if there is none.
func newestAnswer(messages []Message) int {
	for i, m := range slices.Backward(messages) {
		if m.Role == RoleAssistant {
			return i
		}
	}
	return -1
}
