package openai

import (
	"encoding/json"
	"sync"

	"pawl/agent/wire"
)

// event is one event of a stream, with the fields that Pawl reads.
type event struct {
	Type     string          `json:"type"`
	Index    int64           `json:"output_index"`
	Delta    string          `json:"delta"`
	Item     outputItem      `json:"item"`
	Response response        `json:"response"`
	Error    json.RawMessage `json:"error"`
}

// outputItem is a complete item.
type outputItem struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"`
	Encrypted string          `json:"encrypted_content"`
	Phase     string          `json:"phase"`
	Status    string          `json:"status"`
	Action    json.RawMessage `json:"action"` // of a search
	Content   []textPart      `json:"content"`
	Summary   []textPart      `json:"summary"`
}

type textPart struct {
	Type        string            `json:"type"`
	Text        string            `json:"text"`
	Refusal     string            `json:"refusal"`
	Annotations []json.RawMessage `json:"annotations"`
}

// response describes the whole answer in a final event.
type response struct {
	ID         string       `json:"id"`
	Model      string       `json:"model"`
	Status     string       `json:"status"`
	Output     []outputItem `json:"output"`
	Usage      usage        `json:"usage"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Error struct {
		Type    string `json:"type"`
		Code    string `json:"code"`
		Message string `json:"message"`
		Param   string `json:"param"`
	} `json:"error"`
}

// keys are the known fields of events; see wire.Keys.
var keys = sync.OnceValue(func() wire.Keys {
	keys := wire.KeysOf[event]()
	keys["code"], keys["message"] = nil, nil // of an error
	return keys
})
