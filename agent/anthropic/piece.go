package anthropic

import (
	"bytes"
	"encoding/json"

	"pawl/agent/wire"
)

// delta is a piece of a block.
type delta struct {
	Type        string `json:"type"`
	Text        string `json:"text"`
	Thinking    string `json:"thinking"`
	Signature   string `json:"signature"`
	PartialJSON string `json:"partial_json"`
}

// pieceName is the type of an event that brings one.
const pieceName = "content_block_delta"

// piece takes an event that is a piece of a block that has begun. It reports false for
// all others, which the SDK reads: that costs many times as much, and judges them.
func (a *answer) piece(event []byte, life *wire.Pulse) bool {
	if !bytes.Contains(event, []byte(pieceName)) {
		return false
	}
	var e struct {
		Type  string `json:"type"`
		Index int    `json:"index"`
		Delta delta  `json:"delta"`
	}
	if json.Unmarshal(event, &e) != nil || e.Type != pieceName || e.Index < 0 || e.Index >= len(a.blocks) {
		return false
	}
	life.Step()
	a.extend(a.blocks[e.Index], e.Delta)
	return true
}
