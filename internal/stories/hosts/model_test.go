//go:build linux

package hosts

import (
	"fmt"
	"regexp"
	"slices"
	"sync"

	"pawl/internal/modeltest"
)

// model answers for all sessions of a play, by the words that they are sent:
//
//	send-7-2   two subagents in the background, dig-7-0 and dig-7-1: one whose answer waits to be
//	           released, one in whose command something sleeps
//	think-8    an answer that waits to be released
//	ask-9      a command that needs a yes
//	hello-10   an answer
//	what now?  an answer
type model struct {
	mu   sync.Mutex
	held map[string]chan struct{}
}

var (
	sendWords  = regexp.MustCompile(`send-(\d+)-(\d)`)
	thinkWords = regexp.MustCompile(`think-\d+`)
	askWords   = regexp.MustCompile(`ask-(\d+)`)
	digWords   = regexp.MustCompile(`dig-\d+-(\d)`)
)

// gate is what an answer waits for.
func (m *model) gate(name string) chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.held[name] == nil {
		m.held[name] = make(chan struct{})
	}
	return m.held[name]
}

// release lets what waits under these names go on.
func (m *model) release(names ...string) {
	for _, name := range names {
		gate := m.gate(name)
		select {
		case <-gate:
		default:
			close(gate)
		}
	}
}

// names are all that something waits or has waited for, sorted.
func (m *model) names() (all []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name := range m.held {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// sleeping is the command of the subagents that run one.
const sleeping = "sleep 4711"

func (m *model) answer(h modeltest.Request) modeltest.Reply {
	switch {
	case !h.Parent():
		return m.dig(h)
	case h.Asked("what now?"):
		return modeltest.Say("Gone on.")
	case asked(h, sendWords) != nil:
		found := asked(h, sendWords)
		var calls []modeltest.Call
		for i := range int(found[2][0] - '0') {
			calls = append(calls, modeltest.Launch(fmt.Sprintf("dig %s %d", found[1], i), fmt.Sprintf("dig-%s-%d", found[1], i)))
		}
		return modeltest.Do(calls...)
	case asked(h, askWords) != nil:
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo " + asked(h, askWords)[1] + " >> asked.txt"}))
	case asked(h, thinkWords) != nil:
		return modeltest.Say("I think ").Until(m.gate(asked(h, thinkWords)[0]), "it is so.")
	case h.Answered("agent"):
		return modeltest.Say("They are on their way.")
	case len(h.Notices()) > 0 && h.Asked("<task-notification>"):
		return modeltest.Say("I have heard of it.")
	}
	return modeltest.Say("Very well.")
}

func (m *model) dig(h modeltest.Request) modeltest.Reply {
	found := digWords.FindStringSubmatch(h.Messages[0].Text)
	switch {
	case found == nil:
		return modeltest.Surprised()
	case h.Answered("shell"):
		return modeltest.Say("It is dug.")
	case found[1] == "1":
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": sleeping}))
	}
	return modeltest.Say("I dig ").Until(m.gate(found[0]), "and am done.")
}

// asked is what a pattern finds in the words of a user since the last answer.
func asked(h modeltest.Request, pattern *regexp.Regexp) []string {
	for _, m := range h.News() {
		if found := pattern.FindStringSubmatch(m.Text); m.Role == "user" && found != nil {
			return found
		}
	}
	return nil
}
