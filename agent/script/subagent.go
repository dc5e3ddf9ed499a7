package script

import (
	"fmt"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/internal/words"
)

// survey is a job that the demo gives to a subagent, and how it is done.
type survey struct {
	name   string // the subagent's description
	word   string // stands in the prompt, in lower case, and in no other survey's
	prompt string
	// steps lists what to do in order, as far as it is known from what was seen.
	// What was listed once stays listed: the next step is the first not taken.
	steps func(s seen) []step
	// report says what was seen, and nothing else; seen may be empty.
	report func(s seen) string
}

// step is one thing a subagent does, and what it says to it.
type step struct {
	say  string
	call agent.Call
}

// maxSteps bounds a survey: what it knows by then is its report.
const maxSteps = 4

// surveys are the demo's three jobs.
func surveys() []survey { return []survey{layoutSurvey(), languageSurvey(), todoSurvey()} }

// subagent is the answer in a subagent's session.
func subagent(req agent.Request) Turn {
	run, n := currentRun(req.Messages), latest(req.Messages)
	s, known := surveyOf(req.Messages, run)
	done := seen(actsOf(run))
	said := acknowledge(req.Messages, n, len(done))
	if !known && len(done) == 0 {
		said = append(said, "I am Pawl's DEMO script and cannot do what I was asked. I can survey this folder, so I do that.")
	}
	enough := len(done) > 0 && slices.ContainsFunc(n.prompts, func(text string) bool {
		_, found := mentions(text, "stop", "finish", "report", "enough")
		return found && !continues(text)
	})
	var calls []agent.Call
	if next, ok := s.next(done); ok && !enough {
		said, calls = append(said, next.say), []agent.Call{next.call}
	} else {
		said = append(said, s.report(done))
	}
	return Turn{Text: paragraphs(said), Calls: calls}
}

// next is the first step that was not taken yet.
func (s survey) next(done seen) (step, bool) {
	if len(done) >= maxSteps {
		return step{}, false
	}
	for _, step := range s.steps(done) {
		if _, taken := done.of(step.call); !taken {
			return step, true
		}
	}
	return step{}, false
}

// surveyOf finds the job by the words of the message that opened the run or else,
// when somebody writes to a subagent later, of the one that opened the session.
func surveyOf(session, run []agent.Message) (s survey, known bool) {
	for _, messages := range [][]agent.Message{run, session} {
		if len(messages) == 0 {
			continue
		}
		opening := strings.ToLower(messages[0].Text())
		for _, s := range surveys() {
			if strings.Contains(opening, s.word) {
				return s, true
			}
		}
	}
	return layoutSurvey(), false
}

// acknowledge answers the messages that came in, but the one that set the task.
func acknowledge(session []agent.Message, n news, done int) []string {
	prompts := n.prompts
	if len(batches(session)) == 1 && len(prompts) > 0 {
		prompts = prompts[1:]
	}
	var said []string
	for _, text := range prompts {
		switch _, enough := mentions(text, "stop", "finish", "report", "enough"); {
		case continues(text):
			said = append(said, fmt.Sprintf("I was cut off and go on; %s done before that need not be repeated.", words.Count(done, "step")))
		case enough && done > 0:
			said = append(said, "A message came: "+quote(text)+". So I end here and report what I have.")
		default:
			said = append(said, "A message came: "+quote(text)+". I am a script: I have read it, and go on with what I can do.")
		}
	}
	return said
}

// seen is what a subagent has done in its run, with the results.
type seen []act

// of finds the result of a call.
func (s seen) of(c agent.Call) (act, bool) {
	for _, a := range s {
		if a.call.Name == c.Name && string(a.call.Input) == string(c.Input) {
			return a, true
		}
	}
	return act{}, false
}

// good gives the text of a call that worked, else nothing.
func (s seen) good(c agent.Call) string {
	if a, ok := s.of(c); ok && !a.isError {
		return a.text
	}
	return ""
}

// failures tells which calls did not work, and why.
func (s seen) failures() []string {
	var lines []string
	for _, a := range s {
		if a.isError {
			lines = append(lines, fmt.Sprintf("Not done: %s: %s", code(a.call.Name+" "+string(a.call.Input)), firstSentence(a.text)))
		}
	}
	return lines
}
