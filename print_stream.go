package main

import (
	"strings"
	"time"

	"pawl/export/jsondoc"
	"pawl/internal/base"
	"pawl/internal/host"
	"pawl/ui/headless"
)

const streamJSON = "stream-json"

// streamFlags are those of pawl -p as a part of another program.
type streamFlags struct {
	InputFormat string `enum:"text,stream-json" default:"text" print:"" help:"With -p: text, the prompt; or stream-json, a line of JSON for each message, answer and stop of another program."`
	Partial     bool   `name:"include-partial-messages" print:"" help:"With stream-json: also what is being written, before it is recorded."`
}

// talks says that another program writes more than a prompt, and answers questions.
func (c *chatCommand) talks() bool { return c.InputFormat == streamJSON }

// opensWith is the prompt. With lines of JSON on standard input it may be empty, and
// nothing of that is read yet.
func (c *chatCommand) opensWith(w base.World) (string, error) {
	if c.OutputFormat != streamJSON {
		if c.talks() {
			return "", host.Usage("--input-format stream-json needs --output-format stream-json: its answers are lines there")
		}
		if c.Partial {
			return "", host.Usage("--include-partial-messages needs --output-format stream-json")
		}
	}
	if c.talks() {
		return strings.TrimSpace(strings.Join(c.Prompt, " ")), nil
	}
	return printPrompt(c.Prompt, w.In, w.Err)
}

// stream is how the session is written and listened to; nil where it is not.
func (h *house) stream(c *chatCommand) *headless.Stream {
	if c.OutputFormat != streamJSON {
		return nil
	}
	s := &headless.Stream{
		Opening: h.openingAt(h.snapshot.Seq+1, time.Now().Truncate(time.Microsecond)), Partial: c.Partial,
		Line: jsondoc.NewLines(h.Models.Secrets).Line,
	}
	if c.talks() {
		s.Input = h.World.In
	}
	return s
}
