package modeltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Request is one request to a model, in no protocol's words.
type Request struct {
	Protocol string
	Model    string
	System   string
	Effort   string    // that is asked for, where the protocol has a word for it
	Messages []Message // the whole history, the oldest first
	Tools    []string  // the names of those that are offered
	Search   bool      // the server itself may search the web
	Searched []string  // what it did search for, in the history
	Raw      []byte    // its body
	From     string    // the address of who asked, without its port
	To       string    // the host and port that were asked
	At       time.Time // when it was heard
	Stream   *Exchange
}

// Message is one message of a history. Results are a message of their own, whose
// role is "tool", also where the protocol puts them beside a text.
type Message struct {
	Role    string // user, assistant or tool
	Text    string
	Calls   []Call
	Results []Result
}

// Call is a tool call.
type Call struct {
	ID, Name, Input string
	signature       string // that goes with it: Gemini wants its own back
}

// Result answers a call.
type Result struct {
	Call, name, Text string // Call is the id of what it answers
	IsError          bool
}

// Meaning is what a call asks for, whatever its id and spacing.
func (c Call) Meaning() string {
	var b bytes.Buffer
	var input any
	if json.Unmarshal([]byte(c.Input), &input) == nil {
		encoded, _ := json.Marshal(input) // sorts the keys
		b.Write(encoded)
	} else {
		b.WriteString(c.Input)
	}
	return c.Name + " " + b.String()
}

// Parent says that this is a session that can delegate.
func (h Request) Parent() bool { return slices.Contains(h.Tools, "agent") }

// Child says that this is a subagent whose prompt holds these words.
func (h Request) Child(words string) bool {
	return !h.Parent() && len(h.Messages) > 0 && strings.Contains(h.Messages[0].Text, words)
}

// News is what came since the model's last answer.
func (h Request) News() []Message {
	for i := len(h.Messages) - 1; i >= 0; i-- {
		if h.Messages[i].Role == "assistant" {
			return h.Messages[i+1:]
		}
	}
	return h.Messages
}

// Asked says that what came since the last answer holds these words, in the words
// of a user.
func (h Request) Asked(words string) bool {
	return slices.ContainsFunc(h.News(), func(m Message) bool { return m.Role == "user" && strings.Contains(m.Text, words) })
}

// Answered says that the result of a call of this tool came since the last answer.
func (h Request) Answered(tool string) bool { return len(h.ResultsOf(tool)) > 0 }

// ResultsOf lists the results of a tool that came since the last answer.
func (h Request) ResultsOf(tool string) []string {
	calls := map[string]string{}
	for _, m := range h.Messages {
		for _, c := range m.Calls {
			calls[c.ID] = c.Name
		}
	}
	var texts []string
	for _, m := range h.News() {
		for _, r := range m.Results {
			if calls[r.Call] == tool {
				texts = append(texts, r.Text)
			}
		}
	}
	return texts
}

// Notices lists the notifications in the whole history, each from its opening to
// its closing tag.
func (h Request) Notices() []string {
	var list []string
	for _, m := range h.Messages {
		rest := m.Text
		for m.Role == "user" {
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
func (h Request) String() string {
	who := "child"
	if h.Parent() {
		who = "parent"
	}
	var parts []string
	for _, m := range h.Messages {
		text := m.Role + " " + fmt.Sprintf("%.120q", m.Text)
		for _, c := range m.Calls {
			text += fmt.Sprintf(" call %s(%.80s)", c.Name, c.Input)
		}
		for _, r := range m.Results {
			text += fmt.Sprintf(" result %.160q", r.Text)
		}
		parts = append(parts, text)
	}
	return h.Protocol + " " + who + ": " + strings.Join(parts, " │ ")
}

// FromParent matches the requests of sessions that can delegate.
func FromParent(h Request) bool { return h.Parent() }

// FromChild matches the requests of the subagent with these words in its prompt.
func FromChild(words string) func(Request) bool {
	return func(h Request) bool { return h.Child(words) }
}

// ParentTold matches the requests in which the parent is given the result of a
// tool.
func ParentTold(tool string) func(Request) bool {
	return func(h Request) bool { return h.Parent() && h.Answered(tool) }
}

// ParentAsked matches the requests in which the parent is given these words of a
// user.
func ParentAsked(words string) func(Request) bool {
	return func(h Request) bool { return h.Parent() && h.Asked(words) }
}

// ToldOf says that the newest results belong to a call whose input holds these words.
func (h Request) ToldOf(words string) bool {
	for _, r := range h.News() {
		for _, one := range r.Results {
			for _, m := range h.Messages {
				if slices.ContainsFunc(m.Calls, func(c Call) bool { return c.ID == one.Call && strings.Contains(c.Input, words) }) {
					return true
				}
			}
		}
	}
	return false
}
