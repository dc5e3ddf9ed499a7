package agent

// How much of a model's context a conversation takes is known from what the
// provider counted last; what came since, or all of it where nothing was counted
// yet, is estimated.

const (
	// bytesPerToken is the rule of thumb for English and for code.
	bytesPerToken = 4
	// imageTokens is what the largest picture takes at Anthropic (about 1568
	// pixels a side, a token for 750 of them, larger ones scaled down); others
	// count less.
	imageTokens = 1600
)

// gauge is what is known of the size of a conversation, in tokens.
type gauge struct {
	counted         int64 // the newest request with its answer, by its provider; 0: none yet
	countedMessages int   // the messages that this holds
	afterSummary    int64 // what the newest summary left; 0: there is none
	confirmed       bool  // the next count says nothing more of left
}

// update takes in what a provider counted of the conversation as it stands now. The
// first count after a summary says what that truly left.
func (g *gauge) update(input, output int64, messages int) {
	if input <= 0 {
		return // some servers count nothing
	}
	g.counted, g.countedMessages = input+output, messages
	if g.afterSummary > 0 && !g.confirmed {
		g.afterSummary, g.confirmed = input, true
	}
}

// room is how many tokens a request may have; 0 where that is not known. It is
// the context less the longest answer, of which a fifth of the context is kept
// free at most: few answers come near the lengths that models allow.
func (t ModelInfo) room() int64 { return int64(t.Context - min(t.Output, t.Context/5)) }

// full says that the conversation takes 80 % of the room. After a summary that
// left nearly as much it must have grown by a tenth of the room first: summing up
// the same again gains nothing.
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

// EstimateTokens is about how many tokens a request takes, at four bytes each.
func EstimateTokens(req Request) int64 {
	bytes := len(req.System)
	for _, tool := range req.Tools {
		bytes += len(tool.Name) + len(tool.Description) + len(tool.Schema)
	}
	return tokens(bytes) + estimate(req.Messages)
}

// estimate is about how many tokens messages take.
func estimate(messages []Message) (sum int64) {
	for _, m := range messages {
		bytes := 0
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
			if part.Image != nil {
				sum += imageTokens
			}
		}
		sum += tokens(bytes)
	}
	return sum
}

func tokens(bytes int) int64 { return int64(bytes+bytesPerToken-1) / bytesPerToken }
