package agent

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
func (t *activeRun) estimateUsage(req Request, answer Response, came partialAnswer) Response {
	used := Response{Usage: answer.Usage, Earlier: answer.Earlier}
	if !came.began {
		return used
	}
	last := &used.Usage
	if last.InputTokens == 0 {
		last.InputTokens = t.estimateInput(req.Messages)
		last.EstimatedTokens += last.InputTokens
	}
	missing := tokens(came.bytes) - last.OutputTokens
	for _, u := range used.Earlier {
		missing -= u.OutputTokens
	}
	if missing > 0 {
		last.OutputTokens += missing
		last.EstimatedTokens += missing
	}
	return used
}

// estimateInput estimates a request with these messages. It starts from the newest count
// if that covers their beginning.
func (t *activeRun) estimateInput(messages []Message) int64 {
	if t.gauge.counted > 0 && len(messages) >= t.gauge.countedMessages {
		return t.gauge.counted + estimate(messages[t.gauge.countedMessages:])
	}
	return t.requestSize(messages)
}
