//go:build linux

package orders

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/machinelab"
	"pawl/internal/modeltest"
	"pawl/internal/soaktest"
)

// play is one session that sends subagents while things happen to the machines, in a random order.
type play struct {
	*world
	random  *rand.Rand
	many    int // subagents
	session string
	due     []timed // what is to be put right, in order of time
	done    []string
	began   time.Time
	hit     map[string]bool // nodes to which something happened that loses runs
}

// timed is something that happens at a time.
type timed struct {
	at time.Time
	do func() string
}

func newPlay(t *testing.T, w *world, seed uint64, many int) *play {
	t.Helper()
	p := &play{world: w, random: rand.New(rand.NewPCG(seed, 23)), many: many, began: time.Now(), hit: map[string]bool{}}
	soaktest.Again(t, seed)
	t.Cleanup(func() {
		if t.Failed() || testing.Verbose() {
			t.Logf("acts:\n%s", strings.Join(p.done, "\n"))
		}
		if t.Failed() {
			t.Log(p.stands())
		}
	})
	return p
}

func (p *play) note(act string) {
	if act != "" {
		p.done = append(p.done, fmt.Sprintf("%5.1fs %s %s", time.Since(p.began).Seconds(), time.Now().Format(clockTime), act))
	}
}

// later puts something off.
func (p *play) later(after time.Duration, do func() string) {
	p.due = append(p.due, timed{time.Now().Add(after), do})
	slices.SortStableFunc(p.due, func(a, b timed) int { return a.at.Compare(b.at) })
}

// between is a random span.
func (p *play) between(least, most time.Duration) time.Duration {
	return least + time.Duration(p.random.Int64N(int64(most-least)))
}

// begin starts the session, and waits until all its subagents are started and one is at work: calls
// that a host leaves behind are started by nobody.
func (p *play) begin() {
	p.t.Helper()
	out := p.run("--model", modeltest.Chat().Model, "-p", "--detach", fmt.Sprintf("send-%d", p.many))
	p.session = strings.Fields(out)[0]
	p.note("begin session " + p.session)
	for _, told := range p.asked.Await(p.t, modeltest.ParentTold("agent")).ResultsOf("agent") {
		require.Contains(p.t, told, "agent_id", "each is started")
	}
	p.asked.Await(p.t, func(h modeltest.Request) bool { return !h.Parent() })
	p.note("all are started")
}

// goOn has somebody come back to the session, and say something.
func (p *play) goOn(words string) {
	p.t.Helper()
	line := []string{"-p", "--detach", "--session", p.session, words}
	_, errs, code := p.try(append([]string{"--model", modeltest.Chat().Model}, line...)...)
	if strings.Contains(errs, "is already open") { // its host has not left yet
		p.run(line...)
		return
	}
	require.Zero(p.t, code, errs)
}

// lost is the exit code where subagents did not come to their end.
const lost = 3

// perform lets answers come to their end one after another, has these acts happen among them, each
// after so many answers, and goes on until the parent was told of all.
func (p *play) perform(acts []act) {
	p.t.Helper()
	after := make([]int, len(acts))
	for i := range acts {
		after[i] = p.random.IntN(max(1, p.many*2/3))
	}
	slices.Sort(after)
	released, known, last := 0, 0, time.Now() // when something went on
	for {
		for len(p.due) > 0 && time.Now().After(p.due[0].at) {
			do := p.due[0].do
			p.due = p.due[1:]
			p.note(do())
		}
		for len(acts) > 0 && (released >= after[0] || time.Since(last) > 3*time.Second) {
			p.note(acts[0](p))
			acts, after, last = acts[1:], after[1:], time.Now()
		}
		told, rising := p.model.heard()
		if told != known { // what many have done comes home one by one, which takes a busy machine long
			known, last = told, time.Now()
		}
		if told >= p.many && len(acts) == 0 {
			break
		}
		if p.model.letOne(p.random) {
			released++
			last = time.Now()
		}
		p.supervise()
		require.Less(p.t, time.Since(last), 6*modeltest.Patience, "nothing goes on")
		require.Empty(p.t, p.model.wrong())
		select {
		case <-rising:
		case <-clock(p.between(time.Millisecond, 60*time.Millisecond)):
		}
	}
	for _, one := range p.due {
		p.note(one.do())
	}
	p.due = nil
}

// supervise starts again what has ended by itself, as a machine's own supervisor does.
func (p *play) supervise() {
	for _, n := range p.workers {
		if !n.isOff && n.gone() {
			n.isOff = true
			p.note("the worker on " + n.name + " has ended")
			p.later(time.Second, func() string {
				n.isOff = false
				p.work(n)
				return "start the worker on " + n.name + " again"
			})
		}
	}
}

// act is something that happens to a machine. It returns what it was, nothing where it could not be.
type act func(*play) string

// any is a worker at random that meets a condition.
func (p *play) any(fits func(*node) bool) *node {
	fitting := slices.DeleteFunc(slices.Clone(p.workers), func(n *node) bool { return !fits(n) })
	if len(fitting) == 0 {
		return nil
	}
	return fitting[p.random.IntN(len(fitting))]
}

func whole(n *node) bool { return !n.isCut && !n.isOff }

// cutOff takes a worker's machine off the network for longer than its lease, or not.
func cutOff(long bool) act {
	return func(p *play) string {
		n := p.any(whole)
		if n == nil {
			return ""
		}
		span := p.between(500*time.Millisecond, 5*time.Second)
		if long {
			span = p.between(11*time.Second, 14*time.Second)
			p.hit[n.name] = true
		}
		n.cut(p.t)
		n.isCut = true
		p.later(span, func() string {
			n.heal(p.t)
			n.isCut = false
			return "heal " + n.name
		})
		return fmt.Sprintf("cut %s off for %.1fs", n.name, span.Seconds())
	}
}

// switchOff ends all of a worker's machine at once. It comes back, with an empty memory and the
// same disk.
func switchOff(p *play) string {
	n := p.any(whole)
	if n == nil {
		return ""
	}
	p.hit[n.name] = true
	n.off()
	n.ended()
	n.isOff = true
	p.later(p.between(time.Second, 6*time.Second), func() string {
		n.on(p.t)
		n.isOff = false
		p.work(n)
		return "switch " + n.name + " on"
	})
	return "switch " + n.name + " off"
}

// killDaemon ends a worker without a word, and starts another.
func killDaemon(p *play) string {
	n := p.any(whole)
	if n == nil {
		return ""
	}
	p.hit[n.name] = true
	n.end(syscall.SIGKILL)
	n.isOff = true
	p.later(p.between(0, 4*time.Second), func() string {
		n.isOff = false
		p.work(n)
		return "start the worker on " + n.name
	})
	return "SIGKILL of the worker on " + n.name
}

// restart ends the server and starts it again.
func restart(p *play) string {
	if p.server.cmd == nil {
		return ""
	}
	signal := []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM}[p.random.IntN(2)]
	p.server.end(signal)
	p.later(p.between(0, 4*time.Second), func() string {
		p.serve()
		return "start the server"
	})
	return signal.String() + " to the server"
}

// cutHome takes home off the network for less than a lease.
func cutHome(p *play) string {
	if p.home.isCut {
		return ""
	}
	p.home.cut(p.t)
	p.home.isCut = true
	span := p.between(500*time.Millisecond, 4*time.Second)
	p.later(span, func() string {
		p.home.heal(p.t)
		p.home.isCut = false
		return "heal home"
	})
	return fmt.Sprintf("cut home off for %.1fs", span.Seconds())
}

// killHost ends the process that drives the session, without a word, and has another come back.
func killHost(p *play) string {
	pid, err := os.ReadFile(filepath.Join(p.home.home, "data", "locks", p.session+".lock"))
	if err != nil || p.home.isOff {
		return ""
	}
	number := strings.TrimSpace(string(pid)) // as home counts
	if p.home.command(p.t.Context(), "/", p.home.env, "kill", "-9", number).Run() != nil {
		return ""
	}
	p.home.isOff = true
	p.later(p.between(0, 3*time.Second), func() string {
		p.home.isOff = false
		p.goOn("and on")
		return "come back to the session"
	})
	return "SIGKILL of the session's host " + number
}

// order is a random order of acts: the three that each has, and some more.
func (p *play) order(more []act, count int) (all []act) {
	all = []act{cutOff(true), switchOff, restart}
	for range count {
		all = append(all, more[p.random.IntN(len(more))])
	}
	p.random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// stands is how things are, for a failing test.
func (p *play) stands() string {
	var b strings.Builder
	told, _ := p.model.heard()
	fmt.Fprintf(&b, "told of %d; %d answers wait\n", told, len(p.model.waiting()))
	for _, n := range append([]*node{p.server, p.home}, p.workers...) {
		fmt.Fprintf(&b, "%s: %v\n", n.name, n.processes())
		log, _ := os.ReadFile(filepath.Join(n.home, "state", "pawl.log")) // it may have none
		fmt.Fprintf(&b, "its log: %s\n", log)
	}
	if p.session == "" {
		return b.String()
	}
	out, _, _ := p.try("export", p.session, "--format", "json", "-o", "-")
	var doc document
	if json.Unmarshal([]byte(out), &doc) == nil {
		b.WriteString(strings.Join(doc.problems(p.model), "\n"))
	}
	status, _, _ := p.try("ps", p.session)
	b.WriteString("\n" + status)
	for _, n := range append([]*node{p.home}, p.workers...) {
		fmt.Fprintf(&b, "\nstacks of %s:\n%s", n.name, stacks(n))
	}
	return b.String()
}

// stacks are what the goroutines of a node's own processes were at when they were ended for it.
func stacks(n *node) string {
	before := len(n.says())
	for _, one := range n.processes() {
		_ = syscall.Kill(one.ID, syscall.SIGQUIT) // it may have ended
	}
	within(2*time.Second, func() bool { return len(n.processes()) == 0 })
	crash, _ := os.ReadFile(filepath.Join(n.home, "state", "crash.log")) // there may be none
	return string(crash) + n.says()[before:]
}

// end holds what must be true once all are told of, every machine is whole and nothing is asked for.
func (p *play) end() {
	p.t.Helper()
	require.Empty(p.t, p.model.wrong())
	for _, n := range p.workers {
		var left []machinelab.Process
		require.True(p.t, within(modeltest.Patience, func() bool {
			left = slices.DeleteFunc(n.processes(), func(one machinelab.Process) bool { return strings.Contains(one.Command, " worker --nats") })
			return len(left) == 0
		}), "left on %s: %v", n.name, left)
	}
	p.note("no survivors")
	p.goOn("what now?")
	p.note("come back once more")
	_, errs, code := p.try("wait", p.session)
	p.note("settled")
	require.Contains(p.t, []int{0, lost}, code, errs)
	var doc document
	require.NoError(p.t, json.Unmarshal([]byte(p.run("export", p.session, "--format", "json", "-o", "-")), &doc))
	require.Len(p.t, doc.far(), p.many)
	require.Empty(p.t, strings.Join(doc.problems(p.model), "\n"))
	p.note(doc.count())
	for _, r := range doc.far() {
		p.cameBack(r)
	}
	p.note("results came back")
	p.run("verify", p.session)
	p.note("verified")
	p.endHome()
	p.note("home ended")
}

// cameBack says that what a run has done that ended well is in the checkout at home.
func (p *play) cameBack(r farRun) {
	p.t.Helper()
	if r.State != "completed" {
		return
	}
	dig := "dig-" + r.Description[strings.LastIndexByte(r.Description, ' ')+1:]
	text, err := os.ReadFile(filepath.Join(r.Folder, dig+".txt"))
	require.NoError(p.t, err, "%s has lost its work", dig)
	require.Equal(p.t, "dug by "+dig+"\n", string(text))
}

// endHome ends the process that drives the session.
func (p *play) endHome() {
	p.t.Helper()
	pid, err := os.ReadFile(filepath.Join(p.home.home, "data", "locks", p.session+".lock"))
	if number, bad := strconv.Atoi(strings.TrimSpace(string(pid))); err == nil && bad == nil {
		_ = p.home.command(p.t.Context(), "/", p.home.env, "kill", strconv.Itoa(number)).Run() // it may have ended
	}
	require.True(p.t, within(modeltest.Patience, func() bool { return len(p.home.processes()) == 0 }), "left at home: %v", p.home.processes())
}
