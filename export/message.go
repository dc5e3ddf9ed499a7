package export

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"pawl/agent"
	"pawl/lifecycle"
)

// message is one entry of a transcript as the export gives it: agent's message,
// and what only the store knows about it. Its JSON is part of the schema.
type message struct {
	Kind    lifecycle.EntryKind `json:"kind"`
	Role    agent.Role          `json:"role"`
	Run     lifecycle.RunID     `json:"run"`
	From    string              `json:"from,omitempty"`    // of a user message: user, agent or pawl
	Message lifecycle.MessageID `json:"message,omitempty"` // of one that waited in the queue
	Source  lifecycle.RunID     `json:"source,omitempty"`  // of a notification: the run that ended
	Parts   []part              `json:"parts"`
}

// part is one piece of a message. Type says which fields it has.
type part struct {
	Type string `json:"type"`
	Text string `json:"text,omitempty"` // of text, thinking and a tool_result

	Redacted bool `json:"redacted,omitempty"` // thinking that its provider does not show

	Call     lifecycle.CallID `json:"call,omitempty"` // of a tool_call and its tool_result
	Name     string           `json:"name,omitempty"`
	Input    json.RawMessage  `json:"input,omitempty"`    // a string where the model wrote no JSON
	Metadata json.RawMessage  `json:"metadata,omitempty"` // the runs that stand on the call
	IsError  bool             `json:"is_error,omitempty"`
	Images   []image          `json:"images,omitempty"`
}

// The types of a part.
const (
	partText     = "text"
	partThinking = "thinking"
	partCall     = "tool_call"
	partResult   = "tool_result"
	partImage    = "image"
)

// image stands for a picture. The picture itself stays behind: nobody can mask
// what it shows.
type image struct {
	MediaType string `json:"media_type"`
	Bytes     int    `json:"bytes"`
	SHA256    string `json:"sha256"`
}

// message reads one entry.
func (b *book) message(entry lifecycle.Entry) (message, error) {
	read, err := agent.DecodeEntry(entry)
	if err != nil {
		return message{}, err
	}
	m := message{Kind: entry.Kind, Role: read.Role, Run: entry.Run, Source: entry.Source, Parts: []part{}}
	if entry.Kind == lifecycle.EntryUser {
		var said lifecycle.Said
		if err := json.Unmarshal(entry.Body, &said); err != nil {
			return message{}, fmt.Errorf("read user entry of session %s: %w", entry.Session, err)
		}
		m.From, m.Message = said.From, said.Message
	}
	for _, p := range read.Parts {
		m.Parts = append(m.Parts, b.part(entry.Session, p))
	}
	return m, nil
}

func (b *book) part(in lifecycle.SessionID, p agent.Part) part {
	switch {
	case p.Thinking != nil:
		return part{Type: partThinking, Text: p.Thinking.Text, Redacted: p.Thinking.Redacted}
	case p.Call != nil:
		return part{
			Type: partCall, Call: p.Call.ID, Name: p.Call.Name, Input: asJSON(p.Call.Input),
			Metadata: lifecycle.CallMetadata(b.calls[caller{in, p.Call.ID}]),
		}
	case p.Result != nil:
		return part{
			Type: partResult, Call: p.Result.Call, Name: p.Result.Name, Text: p.Result.Text,
			IsError: p.Result.IsError, Images: pictures(p.Result.Images...),
		}
	case p.Image != nil:
		return part{Type: partImage, Images: pictures(*p.Image)}
	}
	return part{Type: partText, Text: p.Text}
}

func pictures(images ...agent.Image) []image {
	var all []image
	for _, picture := range images {
		sum := sha256.Sum256(picture.Data)
		all = append(all, image{MediaType: picture.MediaType, Bytes: len(picture.Data), SHA256: hex.EncodeToString(sum[:])})
	}
	return all
}

// asJSON keeps an input that is JSON, and makes any other a JSON string.
func asJSON(input json.RawMessage) json.RawMessage {
	if json.Valid(input) {
		return input
	}
	quoted, err := json.Marshal(string(input))
	if err != nil {
		panic("export: encode a string: " + err.Error())
	}
	return quoted
}
