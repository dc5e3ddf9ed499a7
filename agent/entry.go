package agent

import (
	"encoding/json"
	"errors"
	"fmt"

	"pawl/lifecycle"
)

// assistantBody and resultBody are the stored forms of the entries that the loop writes. The
// types above have no JSON names on purpose, so that none is sent to a provider by accident.
type assistantBody struct {
	Model string       `json:"model"`
	Stop  StopReason   `json:"stop"`
	Parts []storedPart `json:"parts"`
}

type storedPart struct {
	Text     string          `json:"text,omitempty"`
	Thinking *storedThinking `json:"thinking,omitempty"`
	Call     *storedCall     `json:"call,omitempty"`
	Search   *storedSearch   `json:"search,omitempty"`
}

type storedSearch struct {
	lifecycle.Searched
	Raw      json.RawMessage `json:"raw,omitempty"`
	Provider string          `json:"provider,omitempty"`
}

type storedThinking struct {
	Text      string `json:"text,omitempty"`
	Signature string `json:"signature,omitempty"`
	ID        string `json:"id,omitempty"`
	Redacted  bool   `json:"redacted,omitempty"`
	Provider  string `json:"provider,omitempty"`
}

// storedCall keeps the input as a string, because a model can write invalid JSON and the
// transcript must still show it.
type storedCall struct {
	ID        lifecycle.CallID `json:"id"`
	Name      string           `json:"name"`
	Input     string           `json:"input"`
	Signature string           `json:"signature,omitempty"`
	Provider  string           `json:"provider,omitempty"`
}

type resultBody struct {
	Call    lifecycle.CallID `json:"call"`
	Name    string           `json:"name"`
	Text    string           `json:"text"`
	IsError bool             `json:"is_error,omitempty"`
	Images  []Image          `json:"images,omitempty"`

	Instructions []Instruction `json:"instructions,omitempty"`
	Offers       []string      `json:"offers,omitempty"`
}

// summaryBody holds the whole message, and the summary's own text within it.
type summaryBody struct {
	Text   string  `json:"text"`
	Words  string  `json:"words,omitempty"`
	Images []Image `json:"images,omitempty"` // of the messages that are not answered yet
}

func (b summaryBody) message() Message {
	m := Say(b.Text)
	for _, image := range b.Images {
		m.Parts = append(m.Parts, Part{Image: &image})
	}
	return m
}

func assistantEntry(session lifecycle.SessionID, run lifecycle.RunID, model string, stop StopReason, m Message) lifecycle.Entry {
	body := assistantBody{Model: model, Stop: stop}
	for _, part := range m.Parts {
		stored := storedPart{Text: part.Text, Thinking: (*storedThinking)(part.Thinking), Search: (*storedSearch)(part.Search)}
		if c := part.Call; c != nil {
			stored.Call = &storedCall{ID: c.ID, Name: c.Name, Input: string(c.Input), Signature: c.Signature, Provider: c.Provider}
		}
		body.Parts = append(body.Parts, stored)
	}
	return lifecycle.Entry{Session: session, Run: run, Kind: lifecycle.EntryAssistant, Body: encode(body)}
}

func resultEntry(session lifecycle.SessionID, run lifecycle.RunID, r CallResult) lifecycle.Entry {
	return lifecycle.Entry{Session: session, Run: run, Kind: lifecycle.EntryToolResult, Call: r.Call, Body: encode(resultBody(r))}
}

func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil { // only our own plain structs come here
		panic("agent: encode: " + err.Error())
	}
	return b
}

// DecodeEntry reads one transcript entry as a message. Each tool result is a message of
// its own; Transcript joins them.
func DecodeEntry(entry lifecycle.Entry) (Message, error) {
	m, err := decodeBody(entry)
	if err != nil {
		return Message{}, fmt.Errorf("read %s entry of session %s: %w", entry.Kind, entry.Session, err)
	}
	return m, nil
}

func decodeBody(entry lifecycle.Entry) (Message, error) {
	switch entry.Kind {
	case lifecycle.EntryUser:
		var body lifecycle.Said
		if err := json.Unmarshal(entry.Body, &body); err != nil {
			return Message{}, err
		}
		return withAttached(Say(body.Text), body.Attached)
	case lifecycle.EntryNotification:
		var body lifecycle.Notice
		err := json.Unmarshal(entry.Body, &body)
		return Say(NoticeText(body)), err
	case lifecycle.EntrySummary:
		var body summaryBody
		err := json.Unmarshal(entry.Body, &body)
		return body.message(), err
	case lifecycle.EntryRewind:
		var body lifecycle.Rewind
		err := json.Unmarshal(entry.Body, &body)
		return Say(body.Text), err
	case lifecycle.EntryAssistant:
		var body assistantBody
		err := json.Unmarshal(entry.Body, &body)
		return body.message(), err
	case lifecycle.EntryToolResult:
		var body resultBody
		err := json.Unmarshal(entry.Body, &body)
		return Message{Role: RoleTool, Parts: []Part{{Result: (*CallResult)(&body)}}}, err
	}
	return Message{}, errors.New("unknown kind")
}

func (b assistantBody) message() Message {
	m := Message{Role: RoleAssistant}
	for _, stored := range b.Parts {
		part := Part{Text: stored.Text, Thinking: (*Thinking)(stored.Thinking), Search: (*Search)(stored.Search)}
		if c := stored.Call; c != nil {
			part.Call = &Call{ID: c.ID, Name: c.Name, Input: json.RawMessage(c.Input), Signature: c.Signature, Provider: c.Provider}
		}
		m.Parts = append(m.Parts, part)
	}
	return m
}
