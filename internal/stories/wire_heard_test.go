package stories

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// heard is one request to a model, in no protocol's words.
type heard struct {
	protocol string
	model    string
	system   string
	messages []said
	tools    []string
	raw      []byte
	stream   *exchange
}

// said is one message of a history. Results are a message of their own, whose
// role is "tool", also where the protocol puts them beside a text.
type said struct {
	role    string // user, assistant or tool
	text    string
	calls   []call
	results []result
}

// call is a tool call.
type call struct {
	id, name, input string
	signature       string // that goes with it: Gemini wants its own back
}

// result answers a call.
type result struct {
	call, name, text string
	isError          bool
}

// meaning is what a call asks for, whatever its id and spacing.
func (c call) meaning() string {
	var b bytes.Buffer
	var input any
	if json.Unmarshal([]byte(c.input), &input) == nil {
		encoded, _ := json.Marshal(input) // sorts the keys
		b.Write(encoded)
	} else {
		b.WriteString(c.input)
	}
	return c.name + " " + b.String()
}

// parent says that this is a session that can delegate.
func (h heard) parent() bool { return slices.Contains(h.tools, "agent") }

// child says that this is a subagent whose prompt holds these words.
func (h heard) child(words string) bool {
	return !h.parent() && len(h.messages) > 0 && strings.Contains(h.messages[0].text, words)
}

// news is what came since the model's last answer.
func (h heard) news() []said {
	for i := len(h.messages) - 1; i >= 0; i-- {
		if h.messages[i].role == "assistant" {
			return h.messages[i+1:]
		}
	}
	return h.messages
}

// asked says that what came since the last answer holds these words, in the words
// of a user.
func (h heard) asked(words string) bool {
	return slices.ContainsFunc(h.news(), func(m said) bool { return m.role == "user" && strings.Contains(m.text, words) })
}

// answered says that the result of a call of this tool came since the last answer.
func (h heard) answered(tool string) bool { return len(h.resultsOf(tool)) > 0 }

// resultsOf lists the results of a tool that came since the last answer.
func (h heard) resultsOf(tool string) []string {
	calls := map[string]string{}
	for _, m := range h.messages {
		for _, c := range m.calls {
			calls[c.id] = c.name
		}
	}
	var texts []string
	for _, m := range h.news() {
		for _, r := range m.results {
			if calls[r.call] == tool {
				texts = append(texts, r.text)
			}
		}
	}
	return texts
}

// notices lists the notifications in the whole history, each from its opening to
// its closing tag.
func (h heard) notices() []string {
	var list []string
	for _, m := range h.messages {
		rest := m.text
		for m.role == "user" {
			_, after, found := strings.Cut(rest, "<task-notification>")
			if !found {
				break
			}
			notice, after, _ := strings.Cut(after, "</task-notification>")
			list, rest = append(list, notice), after
		}
	}
	return list
}

// String is the request in one line, for a failing test.
func (h heard) String() string {
	who := "child"
	if h.parent() {
		who = "parent"
	}
	var parts []string
	for _, m := range h.messages {
		text := m.role + " " + fmt.Sprintf("%.120q", m.text)
		for _, c := range m.calls {
			text += fmt.Sprintf(" call %s(%.80s)", c.name, c.input)
		}
		for _, r := range m.results {
			text += fmt.Sprintf(" result %.160q", r.text)
		}
		parts = append(parts, text)
	}
	return h.protocol + " " + who + ": " + strings.Join(parts, " │ ")
}

// fromParent matches the requests of sessions that can delegate.
func fromParent(h heard) bool { return h.parent() }

// fromChild matches the requests of the subagent with these words in its prompt.
func fromChild(words string) func(heard) bool {
	return func(h heard) bool { return h.child(words) }
}

// parentTold matches the requests in which the parent is given the result of a
// tool.
func parentTold(tool string) func(heard) bool {
	return func(h heard) bool { return h.parent() && h.answered(tool) }
}

// parentAsked matches the requests in which the parent is given these words of a
// user.
func parentAsked(words string) func(heard) bool {
	return func(h heard) bool { return h.parent() && h.asked(words) }
}

// reply is what the model says, in no protocol's words.
type reply struct {
	thought string          // thought first, where the protocol's voice can
	text    []string        // said then, piece by piece
	hold    <-chan struct{} // then it waits until this is closed or the client leaves
	rest    []string        // then it says this
	calls   []call          // and asks for these
	stop    string          // end, tool_calls, length, refused or strange; empty is what fits
	usage   usage
	cut     bool // the connection breaks where the end should be

	status     int // instead of all that: an error
	message    string
	retryAfter string

	unexpected bool
}

// written is what goes into a cache: one protocol's server here counts it.
type usage struct{ in, cached, written, out int }

func (r reply) stopped() string {
	switch {
	case r.stop != "":
		return r.stop
	case len(r.calls) > 0:
		return "tool_calls"
	}
	return "end"
}

// say is an answer of text alone.
func say(pieces ...string) reply {
	return reply{text: pieces, usage: usage{in: 1200, cached: 200, out: 34}}
}

// do is an answer that asks for tools.
func do(calls ...call) reply {
	return reply{calls: calls, usage: usage{in: 1300, cached: 300, out: 21}}
}

// saying puts text before the calls.
func (r reply) saying(pieces ...string) reply {
	r.text = pieces
	return r
}

// thinking puts thoughts before the text.
func (r reply) thinking(thought string) reply {
	r.thought = thought
	return r
}

// until makes the answer stop after its text until the channel is closed.
func (r reply) until(release <-chan struct{}, rest ...string) reply {
	r.hold, r.rest = release, rest
	return r
}

// nothing is an answer without a word.
func nothing() reply { return reply{usage: usage{in: 900, out: 1}} }

// fault is an answer that is none.
func fault(status int, message string) reply { return reply{status: status, message: message} }

// surprised is the answer to what a script does not expect.
func surprised() reply { return reply{unexpected: true} }

// use is a call of a tool with these arguments.
func use(tool string, input object) call {
	encoded, err := json.Marshal(input)
	if err != nil {
		panic(err)
	}
	return call{name: tool, input: string(encoded)}
}

// delegate is a call of the agent tool that waits.
func delegate(description, prompt string) call {
	return use("agent", object{"description": description, "prompt": prompt})
}

// launch is a call of the agent tool that does not.
func launch(description, prompt string) call {
	return use("agent", object{"description": description, "prompt": prompt, "run_in_background": true})
}

// isolated is a call of the agent tool for a subagent in a process of its own.
func isolated(description, prompt string, background bool) call {
	return use("agent", object{
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

// told says that the newest results belong to a call whose input holds these words.
func (h heard) told(words string) bool {
	for _, r := range h.news() {
		for _, one := range r.results {
			for _, m := range h.messages {
				if slices.ContainsFunc(m.calls, func(c call) bool { return c.id == one.call && strings.Contains(c.input, words) }) {
					return true
				}
			}
		}
	}
	return false
}
