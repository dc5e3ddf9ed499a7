package stories

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"pawl/internal/modeltest"
)

// scriptedModel is what a script's file "model" says: lines of
//
//	WHEN => ANSWER
//
// of which the first that fits answers. WHEN is one of
//
//	first              it is the first request of all
//	subagent WORDS     a subagent asks whose prompt holds these words
//	asked WORDS        the user has just said these words
//	after TOOL         the tool has just given its result
//	told               the end of a subagent in the background was just told
//	otherwise
//
// and ANSWER one of
//
//	say TEXT
//	nothing
//	refuse TEXT, break off TEXT
//	fail STATUS TEXT
//	delegate DESCRIPTION: PROMPT
//	launch DESCRIPTION: PROMPT      the same in the background
//	use TOOL JSON
//
// where several calls of one answer are parted by " and ".
type scriptedModel []struct {
	fits   func(modeltest.Request, int) bool
	answer modeltest.Reply
}

// takeModel takes the file out of a script's folder. Without one, no model expects to be asked.
func takeModel(folder string) (func(modeltest.Request) modeltest.Reply, error) {
	text, err := os.ReadFile(filepath.Join(folder, "model"))
	if errors.Is(err, fs.ErrNotExist) {
		return func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() }, nil
	}
	if err != nil {
		return nil, err
	}
	var m scriptedModel
	for line := range strings.Lines(string(text)) {
		if m, err = m.with(strings.TrimSpace(line)); err != nil {
			return nil, err
		}
	}
	requests := 0
	return func(h modeltest.Request) modeltest.Reply {
		requests++
		for _, rule := range m {
			if rule.fits(h, requests) {
				return rule.answer
			}
		}
		return modeltest.Surprised()
	}, os.Remove(filepath.Join(folder, "model"))
}

func (m scriptedModel) with(line string) (scriptedModel, error) {
	when, then, found := strings.Cut(line, " => ")
	if !found {
		return nil, fmt.Errorf("no answer in %q", line)
	}
	kind, words, _ := strings.Cut(when, " ")
	fits := map[string]func(modeltest.Request, int) bool{
		"first":     func(_ modeltest.Request, n int) bool { return n == 1 },
		"subagent":  func(h modeltest.Request, _ int) bool { return h.Child(words) },
		"asked":     func(h modeltest.Request, _ int) bool { return h.Asked(words) },
		"after":     func(h modeltest.Request, _ int) bool { return h.Answered(words) },
		"told":      func(h modeltest.Request, _ int) bool { return len(h.Notices()) > 0 },
		"otherwise": func(modeltest.Request, int) bool { return true },
	}[kind]
	answer, err := scriptedReply(then)
	if fits == nil {
		err = fmt.Errorf("no such case: %q", when)
	}
	return append(m, struct {
		fits   func(modeltest.Request, int) bool
		answer modeltest.Reply
	}{fits, answer}), err
}

func scriptedReply(text string) (modeltest.Reply, error) {
	kind, words, _ := strings.Cut(text, " ")
	switch kind {
	case "say":
		return modeltest.Say(words), nil
	case "nothing":
		return modeltest.Nothing(), nil
	case "refuse":
		return modeltest.Reply{Text: []string{words}, Stop: "refused"}, nil
	case "break":
		return modeltest.Reply{Text: []string{strings.TrimPrefix(words, "off ")}, Stop: "length"}, nil
	case "fail":
		code, words, _ := strings.Cut(words, " ")
		status, err := strconv.Atoi(code)
		answer := modeltest.Fault(status, words)
		answer.RetryAfter = "1"
		return answer, err
	}
	var calls []modeltest.Call
	for one := range strings.SplitSeq(text, " and ") {
		kind, words, _ := strings.Cut(one, " ")
		switch kind {
		case "delegate", "launch":
			description, prompt, _ := strings.Cut(words, ": ")
			call := modeltest.Delegate(description, prompt)
			if kind == "launch" {
				call = modeltest.Launch(description, prompt)
			}
			calls = append(calls, call)
		case "use":
			tool, input, _ := strings.Cut(words, " ")
			calls = append(calls, modeltest.Call{Name: tool, Input: input})
		default:
			return modeltest.Reply{}, fmt.Errorf("no such answer: %q", one)
		}
	}
	return modeltest.Do(calls...), nil
}
