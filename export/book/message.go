package book

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// Message is one entry of a transcript in an export: agent's message, and what only the store
// knows about it. Its JSON is part of the schema.
type Message struct {
	Kind    lifecycle.EntryKind `json:"kind"`
	Role    agent.Role          `json:"role"`
	Run     lifecycle.RunID     `json:"run"`
	From    string              `json:"from,omitempty"`    // of a user message: user, agent or pawl
	Message lifecycle.MessageID `json:"message,omitempty"` // of one that waited in the queue
	Source  lifecycle.RunID     `json:"source,omitempty"`  // of a notification: the run that ended
	Keep    int                 `json:"keep,omitempty"`    // of a rewind: the entries before it that the model still knows
	Parts   []Part              `json:"parts"`
}

// Part is one piece of a message. Type says which fields are set.
type Part struct {
	Type string `json:"type"`
	Text string `json:"text,omitempty"` // of text, thinking and a tool_result

	Redacted bool `json:"redacted,omitempty"` // thinking that its provider withholds

	Call     lifecycle.CallID `json:"call,omitempty"` // of a tool_call and its tool_result
	Name     string           `json:"name,omitempty"`
	Input    json.RawMessage  `json:"input,omitempty"`    // a string if the model wrote no JSON
	Metadata json.RawMessage  `json:"metadata,omitempty"` // the runs that the call started; set by the export
	IsError  bool             `json:"is_error,omitempty"`
	Images   []Image          `json:"images,omitempty"`
	// Of a search, whose Text says what the model's server did on the web.
	Found []lifecycle.Page `json:"found,omitempty"`
	Cited []lifecycle.Page `json:"cited,omitempty"`
	// Instructions were given to the model with a tool_result: those for the file that the call
	// touched.
	Instructions []Instruction `json:"instructions,omitempty"`
}

// Instruction is a file of instructions. Without a text nothing of it was given.
type Instruction struct {
	Source string `json:"source"`
	Text   string `json:"text,omitempty"`
	Note   string `json:"note,omitempty"` // what is wrong with it, or missing of it
}

// The types of a part.
const (
	PartText     = "text"
	PartThinking = "thinking"
	PartCall     = "tool_call"
	PartResult   = "tool_result"
	PartImage    = "image"
	PartSearch   = "search"
)

// Image stands for a picture, which is not exported: what it shows cannot be masked.
type Image struct {
	MediaType string `json:"media_type"`
	Bytes     int    `json:"bytes"`
	SHA256    string `json:"sha256"`
}

// Decode decodes one entry of a transcript as the store has it.
func Decode(entry lifecycle.Entry) (Message, error) {
	if entry.Kind == lifecycle.EntryRewind {
		return decodeRewind(entry)
	}
	read, err := agent.DecodeEntry(entry)
	if err != nil {
		return Message{}, err
	}
	m := Message{Kind: entry.Kind, Role: read.Role, Run: entry.Run, Source: entry.Source, Parts: []Part{}}
	if entry.Kind == lifecycle.EntryUser {
		var said lifecycle.Said
		if err := json.Unmarshal(entry.Body, &said); err != nil {
			return Message{}, fmt.Errorf("read user entry of session %s: %w", entry.Session, err)
		}
		m.From, m.Message = said.From, said.Message
	}
	for _, p := range read.Parts {
		m.Parts = append(m.Parts, decodePart(p))
	}
	return m, nil
}

// decodeRewind reads the entry that takes a conversation back. It has no part if the model is
// told nothing.
func decodeRewind(entry lifecycle.Entry) (Message, error) {
	m := Message{Kind: entry.Kind, Role: agent.RoleUser, Run: entry.Run, Parts: []Part{}}
	var back lifecycle.Rewind
	if err := json.Unmarshal(entry.Body, &back); err != nil {
		return m, fmt.Errorf("read rewind entry of session %s: %w", entry.Session, err)
	}
	m.Keep = back.Keep
	if back.Text != "" {
		m.Parts = append(m.Parts, Part{Type: PartText, Text: back.Text})
	}
	return m, nil
}

// Rewound says what a rewind in a transcript did to it.
func (m Message) Rewound() string {
	if m.Keep == 0 {
		return "Rewound: the model knows nothing of what stands before this"
	}
	return "Rewound: of what stands before this the model knows the first " + words.Count(m.Keep, "entry")
}

func decodePart(p agent.Part) Part {
	switch {
	case p.Thinking != nil:
		return Part{Type: PartThinking, Text: p.Thinking.Text, Redacted: p.Thinking.Redacted}
	case p.Call != nil:
		return Part{Type: PartCall, Call: p.Call.ID, Name: p.Call.Name, Input: AsJSON(p.Call.Input)}
	case p.Result != nil:
		return Part{
			Type: PartResult, Call: p.Result.Call, Name: p.Result.Name, Text: p.Result.Text,
			IsError: p.Result.IsError, Images: pictures(p.Result.Images...), Instructions: given(p.Result.Instructions),
		}
	case p.Search != nil:
		return Part{Type: PartSearch, Text: p.Search.Words(), Found: p.Search.Found, Cited: p.Search.Cited}
	case p.Image != nil:
		return Part{Type: PartImage, Images: pictures(*p.Image)}
	}
	return Part{Type: PartText, Text: p.Text}
}

func given(all []agent.Instruction) []Instruction {
	var list []Instruction
	for _, one := range all {
		list = append(list, Instruction{Source: one.Source, Text: one.Text, Note: one.Note})
	}
	return list
}

// Words say for people what was given.
func (i Instruction) Words() string {
	return lifecycle.InstructionsRead{Source: i.Source, Note: i.Note, Unread: i.Text == ""}.Words()
}

// Messages returns the transcript of one session, in order, read a page at a time. An error
// comes last.
func (b *Book) Messages(ctx context.Context, id lifecycle.SessionID) iter.Seq2[Message, error] {
	return paged(messagePage, func(after int) ([]Message, error) {
		some, err := b.Source.Messages(ctx, id, b.Upto, after, messagePage)
		if err != nil {
			err = fmt.Errorf("read the transcript of session %s: %w", id, err)
		}
		return some, err
	})
}

// Mark sets the metadata of a message's calls: the runs that they started.
func (b *Book) Mark(ctx context.Context, in lifecycle.SessionID, m Message) error {
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Type != PartCall {
			continue
		}
		var started []lifecycle.Run
		for _, id := range b.Calls[Caller{in, p.Call}] {
			run, err := b.Whole(ctx, id)
			if err != nil {
				return err
			}
			started = append(started, run)
		}
		p.Metadata = lifecycle.CallMetadata(started)
	}
	return nil
}

func pictures(images ...agent.Image) []Image {
	var all []Image
	for _, picture := range images {
		sum := sha256.Sum256(picture.Data)
		all = append(all, Image{MediaType: picture.MediaType, Bytes: len(picture.Data), SHA256: hex.EncodeToString(sum[:])})
	}
	return all
}

// AsJSON returns valid JSON as it is, and any other input as a JSON string.
func AsJSON(input json.RawMessage) json.RawMessage {
	if json.Valid(input) {
		return input
	}
	quoted, err := json.Marshal(string(input))
	if err != nil {
		panic("export: encode a string: " + err.Error())
	}
	return quoted
}
