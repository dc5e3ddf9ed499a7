package headless

import (
	"bytes"
	"encoding/json"
	"time"

	"pawl/agent/mask"
	"pawl/lifecycle"
)

// The types of a stream's lines.
const (
	typeRecord  = "record"  // a record with its event
	typeOpening = "opening" // the first line
	typePartial = "partial" // the newest text or activity of a run
	typeReply   = "reply"   // the answer to a line of input
	typeIdle    = "idle"    // nothing happens until the other program writes
	typeResult  = "result"  // the last line
)

// streamVersion is the version of the lines: it grows when one of them changes its meaning. In
// version 1 a record had no type.
const streamVersion = 2

// recordType replaces the opening brace of a record.
const recordType = `{"type":"` + typeRecord + `",`

type openingLine struct {
	Type    string              `json:"type"`
	Format  string              `json:"format"`
	Version int                 `json:"version"`
	Session lifecycle.SessionID `json:"session"`
	Demo    bool                `json:"demo,omitempty"`
	Opening any                 `json:"opening"`
}

func openingOf(root lifecycle.SessionID, demo bool, facts any) openingLine {
	return openingLine{typeOpening, "pawl-stream", streamVersion, root, demo, facts}
}

type partialLine struct {
	Type         string              `json:"type"`
	Time         time.Time           `json:"time"`
	Session      lifecycle.SessionID `json:"session"`
	Run          lifecycle.RunID     `json:"run"`
	Step         int                 `json:"step"`
	Text         string              `json:"text,omitempty"`
	Thinking     string              `json:"thinking,omitempty"`
	Activity     string              `json:"activity,omitempty"`
	OutputTokens int64               `json:"output_tokens,omitempty"`
}

// partialOf is progress as a line. A possible beginning of a secret at the end of incomplete
// text is hidden.
func partialOf(p lifecycle.Progress, hide mask.Mask) partialLine {
	return partialLine{
		Type: typePartial, Time: p.At.UTC(), Session: p.Session, Run: p.Run, Step: p.Step,
		Text: new(mask.Stream).Next(hide, p.Text), Thinking: new(mask.Stream).Next(hide, p.Thinking),
		Activity: p.Activity, OutputTokens: p.OutputTokens,
	}
}

type replyLine struct {
	Type    string              `json:"type"`
	ID      string              `json:"id,omitempty"` // the id in the line
	Line    int                 `json:"line"`
	OK      bool                `json:"ok"`
	Error   string              `json:"error,omitempty"`
	Runs    []reached           `json:"runs,omitempty"`
	Message lifecycle.MessageID `json:"message,omitempty"` // set if the message waits
	Later   bool                `json:"later,omitempty"`   // compaction waits for the current run
	Granted []lifecycle.Deed    `json:"granted,omitempty"`
}

// reached is a run that a command affected.
type reached struct {
	Session lifecycle.SessionID `json:"session"`
	Run     lifecycle.RunID     `json:"run"`
	State   lifecycle.State     `json:"state"`
}

func replyTo(h inputLine, reply lifecycle.Reply, err error) replyLine {
	line := replyLine{Type: typeReply, ID: h.id, Line: h.line, OK: err == nil}
	if err != nil {
		line.Error = err.Error()
		return line
	}
	line.Message, line.Later, line.Granted = reply.Message, reply.Later, reply.Granted
	for _, run := range reply.Runs {
		line.Runs = append(line.Runs, reached{run.Session, run.ID, run.State})
	}
	return line
}

type idleLine struct {
	Type string        `json:"type"`
	Seq  lifecycle.Seq `json:"seq"` // the newest record
}

type resultLine struct {
	Type string `json:"type"`
	answer
}

func encodeLine(hide mask.Mask, line any) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(line); err != nil {
		panic("headless: write a line: " + err.Error()) // our own plain data
	}
	return hide.JSON(nil, text.Bytes())
}
