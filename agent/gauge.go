package agent

// The size of a conversation is what the provider counted last, plus an estimate of what
// came since. Before the first count, all of it is estimated.

const (
	// bytesPerToken is a rule of thumb for English and for code.
	bytesPerToken = 4
	// imageTokens is what the largest image takes at Anthropic (about 1568 pixels a side,
	// 750 pixels a token, larger ones scaled down). Others count less.
	imageTokens = 1600
)

// gauge holds what is known of the size of a conversation, in tokens.
type gauge struct {
	counted         int64 // by the provider, for the last request with its answer; 0: not yet
	countedMessages int   // how many messages counted covers
	afterSummary    int64 // size after the newest summary; 0: there is none
	confirmed       bool  // afterSummary is a real count, not an estimate
}

// update takes in what the provider counted for the conversation as it is now. The first
// count after a summary replaces the estimate of afterSummary.
func (g *gauge) update(input, output int64, messages int) {
	if input <= 0 {
		return // some servers do not count
	}
	g.counted, g.countedMessages = input+output, messages
	if g.afterSummary > 0 && !g.confirmed {
		g.afterSummary, g.confirmed = input, true
	}
}

// room is the most tokens that a request may have; 0: unknown. It is the context less the
// longest answer, for which at most a fifth of the context is reserved: few answers come
// near the limits of models.
func (m ModelInfo) room() int64 { return int64(m.Context - min(m.Output, m.Context/5)) }

// full reports whether the conversation takes 80 % of the room. After a summary it must
// also have grown by a tenth of the room, since summarizing the same again gains nothing.
func (t *activeRun) full() bool {
	room, size := t.info.room(), t.size()
	return room > 0 && 5*size >= 4*room && (t.gauge.afterSummary == 0 || size >= t.gauge.afterSummary+room/10)
}

// size is how many tokens the next request would have.
func (t *activeRun) size() int64 {
	if t.gauge.counted > 0 {
		return t.gauge.counted + estimate(t.messages[t.gauge.countedMessages:])
	}
	return t.requestSize(t.messages)
}

// requestSize estimates a request with these messages.
func (t *activeRun) requestSize(messages []Message) int64 {
	req := t.request(nil)
	req.Messages = messages
	return EstimateTokens(req)
}

// EstimateTokens estimates the tokens of a request, at four bytes each.
func EstimateTokens(req Request) int64 {
	bytes := len(req.System)
	for _, tool := range req.Tools {
		bytes += len(tool.Name) + len(tool.Description) + len(tool.Schema)
	}
	return tokens(bytes) + estimate(req.Messages)
}

// estimate is about how many tokens the messages take.
func estimate(messages []Message) (sum int64) {
	for _, m := range messages {
		bytes := len(nestedText(m))
		for _, part := range m.Parts {
			bytes += len(part.Text)
			if part.Thinking != nil {
				bytes += max(len(part.Thinking.Text), len(part.Thinking.Signature))
			}
			if part.Call != nil {
				bytes += len(part.Call.Name) + len(part.Call.Input)
			}
			if part.Result != nil {
				bytes += len(part.Result.Text)
				sum += imageTokens * int64(len(part.Result.Images))
			}
			if part.Search != nil {
				bytes += len(part.Search.Raw)
			}
			if part.Image != nil {
				sum += imageTokens
			}
		}
		sum += tokens(bytes)
	}
	return sum
}

func tokens(bytes int) int64 { return int64(bytes+bytesPerToken-1) / bytesPerToken }
