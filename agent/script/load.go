package script

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"pawl/agent"
)

// Load reads a scripted model from a file: one JSON object a line, each an
// answer, in the form that the package comment describes. An error names the file
// and the line.
func Load(path string) (Model, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("load scripted model: %w", err)
	}
	f := file{path: path}
	number := 0
	for raw := range bytes.Lines(text) {
		number++
		raw = bytes.TrimSpace(raw)
		if len(raw) == 0 || raw[0] == '#' {
			continue
		}
		l, err := parseLine(raw)
		if err != nil {
			return nil, fmt.Errorf("load scripted model %s: line %d: %w", path, number, err)
		}
		if l.When != nil {
			f.chosen = append(f.chosen, l)
		} else {
			f.ordered = append(f.ordered, l)
		}
	}
	return f.answer, nil
}

// file is a scripted model as its file has it.
type file struct {
	path    string
	chosen  []line // given when their time comes
	ordered []line // given one after the other
}

// answer is the Model of a file.
func (f file) answer(req agent.Request) Turn {
	if l, ok := f.choose(req); ok {
		return l.turn(req.Messages)
	}
	n := f.given(req)
	if n >= len(f.ordered) {
		return Turn{Err: fmt.Errorf("scripted model %s has no line for this request: %d answers of its own order are given", f.path, n)}
	}
	return f.ordered[n].turn(req.Messages)
}

// given counts the answers of a conversation that came from the ordered lines:
// those that no chosen line would have given.
func (f file) given(req agent.Request) int {
	n := 0
	for i, m := range req.Messages {
		if m.Role != agent.RoleAssistant {
			continue
		}
		before := req
		before.Messages = req.Messages[:i]
		if _, ok := f.choose(before); !ok {
			n++
		}
	}
	return n
}

// choose finds the line whose time it is. Of the messages of the run the newest
// is asked first, so that a script of its own can follow any message; one that no
// line names disturbs nothing.
func (f file) choose(req agent.Request) (line, bool) {
	run, root := currentRun(req.Messages), isRoot(req)
	step := 1
	for i := len(run) - 1; i >= 0; i-- {
		switch run[i].Role {
		case agent.RoleAssistant:
			step++
		case agent.RoleUser:
			for _, l := range f.chosen {
				if l.When.fits(run[i].Text(), step, root) {
					return l, true
				}
			}
		case agent.RoleTool:
		}
	}
	return line{}, false
}

// fits says whether a line is for this message, as the answer number step to it.
func (w when) fits(prompt string, step int, root bool) bool {
	return strings.Contains(prompt, w.Prompt) && (w.Step == 0 || w.Step == step) && (w.Root == nil || *w.Root == root)
}
