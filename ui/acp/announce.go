package acp

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	sdk "github.com/coder/acp-go-sdk"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// Command is a command with which a prompt may begin, behind a slash.
type Command struct {
	Name, Description string
	Hint              string // its arguments, as its author writes them
}

// compactName is the one command of Pawl's screen that acts on a session without one.
const compactName = "compact"

// available are all commands of the session.
func (s *session) available() []sdk.AvailableCommand {
	all := []Command{{Name: compactName, Description: "summarize the conversation so far", Hint: "what the summary is to keep"}}
	if s.Commands != nil {
		all = append(all, s.Commands()...)
	}
	list := make([]sdk.AvailableCommand, len(all))
	for i, c := range all {
		list[i] = sdk.AvailableCommand{Name: c.Name, Description: string(sanitize.Line(c.Description))}
		if hint := string(sanitize.Line(c.Hint)); hint != "" {
			list[i].Input = &sdk.AvailableCommandInput{Unstructured: &sdk.UnstructuredCommandInput{Hint: hint}}
		}
	}
	slices.SortFunc(list, func(a, b sdk.AvailableCommand) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// announce tells the editor the commands, where they are others than it was told last: those of
// servers come and go.
func (s *session) announce() {
	list := s.available()
	text, err := json.Marshal(list)
	if err != nil {
		return // texts have a form
	}
	s.mu.Lock()
	known := bytes.Equal(s.announced, text)
	s.announced = text
	s.mu.Unlock()
	if !known {
		s.send(sdk.SessionUpdate{AvailableCommandsUpdate: &sdk.SessionAvailableCommandsUpdate{AvailableCommands: list}})
	}
}

// compacting is the command that a prompt stands for instead of a message; false: for none.
func (s *session) compacting(text string) (lifecycle.Command, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "/"+compactName)
	if !ok || rest != "" && strings.TrimSpace(rest[:1]) != "" {
		return nil, false
	}
	return lifecycle.Compact{Session: s.Snapshot.Root, Instructions: strings.TrimSpace(rest)}, true
}

// afterAnswers holds what is to be done once the editor has been told the id of a new session: what
// is sent about a session before that is lost on it.
type afterAnswers struct {
	mu    sync.Mutex
	queue map[sdk.SessionId]func()
}

func (a *afterAnswers) add(id sdk.SessionId, do func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.queue == nil {
		a.queue = map[sdk.SessionId]func(){}
	}
	a.queue[id] = do
}

// written looks at a message that was written, and does what waited for it, on a goroutine of its
// own: the connection is busy until the writer returns.
func (a *afterAnswers) written(message []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.queue) == 0 {
		return
	}
	var answer struct {
		Result struct {
			Session sdk.SessionId `json:"sessionId"`
		} `json:"result"`
	}
	if json.Unmarshal(message, &answer) != nil {
		return
	}
	if do, waits := a.queue[answer.Result.Session]; waits {
		delete(a.queue, answer.Result.Session)
		go do()
	}
}

// sayCompacting tells the user what becomes of that command.
func (s *session) sayCompacting(reply lifecycle.Reply, err error) {
	switch {
	case err != nil:
		s.send(aside(err.Error()))
	case reply.Later:
		s.send(aside("the conversation will be summarized when this run ends"))
	default:
		s.send(aside("the conversation is being summarized"))
	}
}
