package agent

import "pawl/lifecycle"

// partialAnswer is how much of an answer arrived before it broke off.
type partialAnswer struct {
	began bool // the server accepted the request, so it is paid for
	bytes int
}

func (r *partialAnswer) add(piece Delta) {
	r.began = true
	r.bytes += len(piece.Text) + len(piece.Thinking) + len(piece.Call)
}

// estimateUsage is what a request without a complete answer has used: what its server
// counted, and an estimate of the rest. Most servers count only at the end.
func (t *activeRun) estimateUsage(req Request, counted lifecycle.Usage, came partialAnswer) lifecycle.Usage {
	if !came.began {
		return counted
	}
	if counted.InputTokens == 0 {
		counted.InputTokens = t.estimateInput(req.Messages)
		counted.EstimatedTokens += counted.InputTokens
	}
	if missing := tokens(came.bytes) - counted.OutputTokens; missing > 0 {
		counted.OutputTokens += missing
		counted.EstimatedTokens += missing
	}
	return counted
}

// estimateInput estimates a request with these messages. It starts from the newest count
// if that covers their beginning.
func (t *activeRun) estimateInput(messages []Message) int64 {
	if t.gauge.counted > 0 && len(messages) >= t.gauge.countedMessages {
		return t.gauge.counted + estimate(messages[t.gauge.countedMessages:])
	}
	return t.requestSize(messages)
}
