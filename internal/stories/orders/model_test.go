//go:build linux

package orders

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pawl/internal/modeltest"
)

// model answers for a session that sends subagents to other machines, and for those:
//
//	send-100   that many subagents in the background, with the prompts dig-0 to dig-99
//	dig-7      writes dig-7.txt, then its answer waits to be released; each third one belongs to the
//	           type that may be queued again, and each fifth has something sleep in its command first
//	what now?  an answer
type model struct {
	mu     sync.Mutex
	held   []*answer
	asked  map[string][]modeltest.Request // of each subagent, in order
	faults []string
	told   map[string]int // how often the parent was told of each run, in its newest request
	rising chan struct{}  // closed and replaced when any of this changes
}

// answer is one that waits.
type answer struct {
	dig     string
	from    modeltest.Request
	release chan struct{}
}

func newModel() *model {
	return &model{asked: map[string][]modeltest.Request{}, told: map[string]int{}, rising: make(chan struct{})}
}

var (
	sendWords = regexp.MustCompile(`send-(\d+)`)
	digWords  = regexp.MustCompile(`dig-(\d+)`)
	noticeRun = regexp.MustCompile(`<run-id>(.*)</run-id>`)
	folderIs  = regexp.MustCompile(`(?m)^- folder: (.*)$`)
)

// again says that a subagent is of the type that may be queued again when its worker is lost.
func again(i int) bool { return i%3 == 0 }

// sleeps says that something sleeps in its command.
func sleeps(i int) bool { return i%5 == 0 }

// sleeping is that command.
const sleeping = "sleep 3"

func (m *model) reply(h modeltest.Request) modeltest.Reply {
	switch {
	case !h.Parent():
		return m.dig(h)
	case h.Asked("what now?"):
		m.hear(h)
		return modeltest.Say("Gone on.")
	case h.Answered("agent"):
		return modeltest.Say("They are on their way.")
	case len(h.Notices()) > 0 && h.Asked("<task-notification>"):
		m.hear(h)
		return modeltest.Say("I have heard of it.")
	case sends(h) > 0:
		var calls []modeltest.Call
		for i := range sends(h) {
			calls = append(calls, far(i))
		}
		return modeltest.Do(calls...)
	}
	return modeltest.Say("Very well.")
}

// far is a call that sends a subagent to another machine.
func far(i int) modeltest.Call {
	input := modeltest.Object{"description": fmt.Sprintf("dig number %d", i), "prompt": fmt.Sprintf("dig-%d.", i), "isolation": "remote", "run_in_background": true}
	if again(i) {
		input["subagent_type"] = "digger"
	}
	return modeltest.Use("agent", input)
}

// sends is how many subagents a prompt asks for.
func sends(h modeltest.Request) int {
	for _, one := range h.News() {
		if found := sendWords.FindStringSubmatch(one.Text); one.Role == "user" && found != nil {
			n, _ := strconv.Atoi(found[1]) // digits
			return n
		}
	}
	return 0
}

// hear notes what the parent was told.
func (m *model) hear(h modeltest.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.told)
	for _, notice := range h.Notices() {
		m.told[noticeRun.FindStringSubmatch(notice)[1]]++
	}
	m.change()
}

// change wakes those who wait. The lock is held.
func (m *model) change() {
	close(m.rising)
	m.rising = make(chan struct{})
}

func (m *model) dig(h modeltest.Request) modeltest.Reply {
	found := digWords.FindStringSubmatch(h.Messages[0].Text)
	if found == nil {
		return modeltest.Surprised()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	defer m.change()
	m.watch(found[0], h)
	i, _ := strconv.Atoi(found[1]) // digits
	write := modeltest.Use("write", modeltest.Object{"path": found[0] + ".txt", "content": "dug by " + found[0] + "\n"})
	switch {
	case h.Asked("was lost, and with it"): // it begins anew
		return modeltest.Do(write)
	case h.Answered("write"):
		a := &answer{dig: found[0], from: h, release: make(chan struct{})}
		m.held = append(m.held, a)
		return modeltest.Say("I dig ").Until(a.release, "and am done.")
	case h.Answered("shell") || !sleeps(i):
		return modeltest.Do(write)
	}
	return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": sleeping}))
}

// worker is who asks: a machine, and the folder there of one attempt at a run.
func worker(h modeltest.Request) string {
	folder := ""
	if found := folderIs.FindStringSubmatch(h.System); found != nil {
		folder = found[1]
	}
	return h.From + " at " + h.To + " in " + folder
}

// watch holds a request against those of the same subagent that came before: a worker may ask only
// while no other one is being answered, and none that was followed by another ever asks again. The
// lock is held.
func (m *model) watch(dig string, h modeltest.Request) {
	before := m.asked[dig]
	m.asked[dig] = append(before, h)
	me := worker(h)
	for i, one := range before {
		who := worker(one)
		if who == me {
			if last := worker(before[len(before)-1]); i == 0 && last != me {
				m.faults = append(m.faults, fmt.Sprintf("%s: %s asks after %s has: %s", dig, me, last, times(m.asked[dig])))
			}
			continue
		}
		select {
		case <-one.Stream.Ended:
		default:
			m.faults = append(m.faults, fmt.Sprintf("%s: %s asks while %s is being answered: %s", dig, me, who, times(m.asked[dig])))
		}
	}
}

// times are when each request was heard, and from whom.
func times(all []modeltest.Request) (text string) {
	for _, h := range all {
		text += "\n\t" + h.At.Format(clockTime) + " " + worker(h)
	}
	return text
}

// workers are those that have asked for a subagent, in order.
func (m *model) workers(dig string) (all []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, h := range m.asked[dig] {
		all = append(all, worker(h))
	}
	return slices.Compact(all)
}

// waiting are the answers that still wait, of clients that are there.
func (m *model) waiting() []*answer {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held = slices.DeleteFunc(m.held, func(a *answer) bool {
		select {
		case <-a.from.Stream.Ended:
			return true
		default:
			return false
		}
	})
	return slices.Clone(m.held)
}

// letOne lets one of those come to its end; false if there is none.
func (m *model) letOne(random *rand.Rand) bool {
	all := m.waiting()
	if len(all) == 0 {
		return false
	}
	a := all[random.IntN(len(all))]
	m.mu.Lock()
	defer m.mu.Unlock()
	at := slices.Index(m.held, a)
	m.held = slices.Delete(m.held, at, at+1)
	close(a.release)
	return true
}

// heard is of how many runs the parent was told, and when to look again.
func (m *model) heard() (int, <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.told), m.rising
}

// wrong is what was seen that must not be.
func (m *model) wrong() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return strings.Join(m.faults, "\n")
}
