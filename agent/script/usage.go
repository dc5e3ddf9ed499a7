package script

import (
	"pawl/agent"
	"pawl/lifecycle"
)

// usage counts what a real model would have read and written, at about four
// bytes a token. Nothing is cached and nothing costs.
func usage(req agent.Request, answer agent.Message) lifecycle.Usage {
	in := len(req.System)
	for _, tool := range req.Tools {
		in += len(tool.Name) + len(tool.Description) + len(tool.Schema)
	}
	for _, m := range req.Messages {
		in += size(m)
	}
	return lifecycle.Usage{InputTokens: tokens(in), OutputTokens: tokens(size(answer))}
}

func tokens(bytes int) int64 { return int64(bytes+3) / 4 }

func size(m agent.Message) int {
	n := 0
	for _, part := range m.Parts {
		n += len(part.Text)
		if part.Thinking != nil {
			n += len(part.Thinking.Text)
		}
		if part.Call != nil {
			n += len(part.Call.Name) + len(part.Call.Input)
		}
		if part.Result != nil {
			n += len(part.Result.Text)
		}
	}
	return n
}
