//go:build linux

package hosts

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// question has a session ask for a yes, and gives it two at once.
func (p *play) question() string {
	s, ok := one(p, p.hosted())
	if !ok {
		return ""
	}
	c := p.dial(s.id)
	if c == nil {
		return ""
	}
	p.clients = append(p.clients, c)
	c.order(modeltest.Object{"type": "message", "text": p.word("ask")})
	var id string
	within(3*settleLimit, func() bool {
		now, _ := p.status(s.id, settleLimit)
		for _, q := range now.Questions {
			id = q.Question
		}
		return id != ""
	})
	if id == "" {
		return "ask, in vain"
	}
	var yes sync.Map
	var all sync.WaitGroup
	for i := range 2 {
		if other := p.dial(s.id); other != nil {
			all.Go(func() {
				defer other.Close()
				other.order(modeltest.Object{"type": "answer", "question": id, "answer": "once"})
				if r, ok := other.next("reply", 5*settleLimit); ok && r.OK {
					yes.Store(i, true)
				}
			})
		}
	}
	for _, x := range p.live() {
		if x.session == s && p.random.IntN(2) == 0 {
			x.TryType("y")
		}
	}
	all.Wait()
	many := 0
	yes.Range(func(any, any) bool { many++; return true })
	require.LessOrEqual(p.t, many, 1, "a question was answered twice")
	return "ask, and answer twice"
}

func (p *play) quit() string {
	x, ok := one(p, p.live())
	if !ok {
		return ""
	}
	key, _ := one(p, []string{"x", "w", "l", harness.KeyEsc})
	if key == "x" || key == "w" || x.wandered {
		p.mayEnd(x.session)
	}
	x.TryType(harness.KeyCtrlU)
	for range 3 { // the first may stop the main agent
		x.TryType(harness.KeyCtrlC)
		within(settleLimit/2, func() bool { return x.ended() || strings.Contains(x.Screen(), "again quits") })
	}
	within(settleLimit, func() bool { return x.ended() || strings.Contains(x.Screen(), "Quit while") })
	if x.ended() {
		return "quit"
	}
	x.TryType(key)
	if key == "l" || key == "x" {
		within(settleLimit, x.ended)
	}
	return fmt.Sprintf("quit, then %q", key)
}

func (p *play) say() string {
	x, ok := one(p, p.live())
	if !ok {
		return ""
	}
	kind, _ := one(p, []string{"send", "think", "hello"})
	if x.wandered {
		kind = "hello"
	}
	if kind == "send" {
		return p.send(x)
	}
	word := p.word(kind)
	x.TryType(harness.KeyCtrlU)
	x.TryType(word + harness.KeyEnter)
	return "say " + word
}

// letEnd lets what the model holds come to its end.
func (p *play) letEnd() string {
	names := p.model.names()
	if len(names) == 0 {
		return ""
	}
	if p.random.IntN(2) == 0 {
		names = names[p.random.IntN(len(names)):][:1]
	}
	for _, s := range p.sessions {
		s.runs = slices.DeleteFunc(s.runs, func(run string) bool { return slices.Contains(names, run) })
	}
	p.model.release(names...)
	if p.random.IntN(2) == 0 {
		for _, pid := range p.Processes(func(line string) bool { return strings.HasPrefix(line, "sleep\x00") }) {
			p.signal(pid, syscall.SIGTERM)
		}
	}
	return fmt.Sprintf("let %d end", len(names))
}

func (p *play) stopRun() string {
	x, ok := one(p, p.live())
	if !ok {
		return ""
	}
	p.mayEnd(x.session)
	x.wandered = true
	x.TryType(harness.KeyDown)
	within(settleLimit/2, func() bool { return strings.Contains(x.Screen(), "x x stop") })
	x.TryType("x")
	within(settleLimit/2, func() bool { return strings.Contains(x.Screen(), "x again") })
	x.TryType("x")
	return "stop a run"
}

// commandLimit is how long a command may take: its host may be stopped.
const commandLimit = 3 * time.Second

// typed is what the program says without a terminal. It may fail, and is given up in the end.
func (p *play) typed(args ...string) string {
	ctx, cancel := context.WithTimeout(p.t.Context(), commandLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.program, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = p.Dir, p.Env, commandLimit
	out, _ := cmd.Output() // what it came to is looked at where it matters
	return string(out)
}

func (p *play) command() string {
	s, ok := one(p, p.sessions)
	if !ok {
		return ""
	}
	command, _ := one(p, [][]string{{"send", s.id, p.word("hello")}, {"stop", s.id, "--all"}, {"ps"}, {"wait", s.id}, {"watch", s.id}})
	if command[0] == "stop" {
		p.mayEnd(s)
	}
	p.typed(command...)
	return "pawl " + command[0]
}

// detached begins a session without a screen.
func (p *play) detached() string {
	if len(p.sessions) >= 4 {
		return ""
	}
	out := strings.Fields(p.typed(p.Flags("-p", "--detach", p.word("send")+"-2")...))
	if len(out) > 0 && slices.Contains(p.locks(), out[0]) {
		p.sessions = append(p.sessions, &session{id: out[0]})
	}
	return "begin without a screen"
}

// silentClient watches a session and never reads.
func (p *play) silentClient() string {
	s, ok := one(p, p.hosted())
	if !ok {
		return ""
	}
	c := p.dial(s.id)
	if c == nil {
		return ""
	}
	p.clients = append(p.clients, c)
	for range 20 {
		c.order(modeltest.Object{"type": "status"})
	}
	c.order(modeltest.Object{"type": "watch", "from": 0, "partial": true})
	return "a client that never reads"
}

func (p *play) garbage() string {
	s, ok := one(p, p.hosted())
	if !ok {
		return ""
	}
	c := p.dial(s.id)
	if c == nil {
		return ""
	}
	defer c.Close()
	texts := []string{"\n\n", "}{\n", `{"type":"attach"}` + "\n", `{"type":"nothing"}` + "\n", "\x00\xff\n", strings.Repeat("[", 70000), `{"type":"attach"`, ""}
	text, _ := one(p, texts)
	_, _ = c.Write([]byte(text)) // it may be gone
	return fmt.Sprintf("garbage %.20q", text)
}
