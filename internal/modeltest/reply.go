package modeltest

import (
	"encoding/json"
	"slices"
)

// Reply is what the model says, in no protocol's words.
type Reply struct {
	thought string          // thought first, where the protocol's writer can
	search  *search         // of the web, by the server itself, where the protocol has it
	Text    []string        // said then, piece by piece
	Hold    <-chan struct{} // then it waits until this is closed or the client leaves
	rest    []string        // then it says this
	Calls   []Call          // and asks for these
	Stop    string          // end, tool_calls, length, refused or strange; empty is what fits
	Usage   Usage
	Cut     bool // the connection breaks where the end should be

	Status     int    // instead of all that: an error
	Message    string // its text
	RetryAfter string // its header

	unexpected bool
}

// search is a search of the web with the pages that it finds.
type search struct {
	query string
	pages []string
}

// Searching makes the server search the web before it says anything, and cite the first page.
func (r Reply) Searching(query string, pages ...string) Reply {
	r.search = &search{query, pages}
	return r
}

// Usage is what an answer says that it took, in tokens. What was written into a cache is
// counted by one protocol alone.
type Usage struct{ In, Cached, Written, Out int }

func (r Reply) stopped() string {
	switch {
	case r.Stop != "":
		return r.Stop
	case len(r.Calls) > 0:
		return "tool_calls"
	}
	return "end"
}

// Say is an answer of text alone.
func Say(pieces ...string) Reply {
	return Reply{Text: pieces, Usage: Usage{In: 1200, Cached: 200, Out: 34}}
}

// Do is an answer that asks for tools.
func Do(calls ...Call) Reply {
	return Reply{Calls: calls, Usage: Usage{In: 1300, Cached: 300, Out: 21}}
}

// Saying puts text before the calls.
func (r Reply) Saying(pieces ...string) Reply {
	r.Text = pieces
	return r
}

// Thinking puts thoughts before the text.
func (r Reply) Thinking(thought string) Reply {
	r.thought = thought
	return r
}

// Until makes the answer stop after its text until the channel is closed.
func (r Reply) Until(release <-chan struct{}, rest ...string) Reply {
	r.Hold, r.rest = release, rest
	return r
}

// Nothing is an answer without a word.
func Nothing() Reply { return Reply{Usage: Usage{In: 900, Out: 1}} }

// Fault is an answer that is none.
func Fault(status int, message string) Reply { return Reply{Status: status, Message: message} }

// Surprised is the answer to what a script does not expect.
func Surprised() Reply { return Reply{unexpected: true} }

// Use is a call of a tool with these arguments.
func Use(tool string, input Object) Call {
	encoded, err := json.Marshal(input)
	if err != nil {
		panic(err)
	}
	return Call{Name: tool, Input: string(encoded)}
}

// Delegate is a call of the agent tool that waits.
func Delegate(description, prompt string) Call {
	return Use("agent", Object{"description": description, "prompt": prompt})
}

// Launch is a call of the agent tool that does not.
func Launch(description, prompt string) Call {
	return Use("agent", Object{"description": description, "prompt": prompt, "run_in_background": true})
}

// Isolated is a call of the agent tool for a subagent in a process of its own.
func Isolated(description, prompt string, background bool) Call {
	return Use("agent", Object{
		"description": description, "prompt": prompt, "isolation": "process", "run_in_background": background,
	})
}

// inPieces parts a text as a model would send it: in the middle of words, but not
// of characters, which JSON could not carry.
func inPieces(text string) []string {
	var pieces []string
	for piece := range slices.Chunk([]rune(text), 7) {
		pieces = append(pieces, string(piece))
	}
	return pieces
}
