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

// act is something that a person, a program or the machine does. It returns what it was, or
// nothing where there is nobody to do it to.
type act struct {
	weight int
	do     func(*play) string
}

var acts = []act{
	{5, (*play).begin},
	{10, (*play).attach},
	{4, (*play).detachKey},
	{5, (*play).closeTerminal},
	{5, (*play).signalFront},
	{4, (*play).killFront},
	{4, (*play).killHost},
	{3, (*play).killGuard},
	{2, (*play).killHostAndGuard},
	{3, (*play).terminate},
	{3, (*play).replace},
	{6, (*play).stopProcess},
	{7, (*play).continueProcess},
	{3, (*play).resize},
	{6, (*play).question},
	{6, (*play).quit},
	{10, (*play).say},
	{5, (*play).letEnd},
	{3, (*play).stopRun},
	{3, (*play).command},
	{2, (*play).detached},
	{3, (*play).silentClient},
	{3, (*play).garbage},
}

// next is an act at random.
func (p *play) next() string {
	sum := 0
	for _, a := range acts {
		sum += a.weight
	}
	n := p.random.IntN(sum)
	for _, a := range acts {
		if n -= a.weight; n < 0 {
			return a.do(p)
		}
	}
	return ""
}

// begin opens a new session and sends subagents.
func (p *play) begin() string {
	if len(p.sessions) >= 4 {
		return ""
	}
	x := p.start(nil, p.Flags()...)
	if !p.await("a new session", x.shown) || x.ended() {
		return "begin, in vain"
	}
	for _, id := range p.locks() {
		s := &session{id: id}
		if pid := p.host(s); pid != 0 && parentOf(parentOf(pid)) == x.Cmd.Process.Pid {
			x.session = s
			p.sessions = append(p.sessions, s)
		}
	}
	return "begin, then " + p.send(x)
}

// send has the session of a screen start subagents.
func (p *play) send(x *screen) string {
	word, many := p.word("send"), 1+p.random.IntN(3)
	x.TryType(harness.KeyCtrlU)
	x.TryType(fmt.Sprintf("%s-%d%s", word, many, harness.KeyEnter))
	if x.session == nil {
		return word
	}
	name := strings.Replace(word, "send", "dig", 1) + "-0"
	begun := func() bool { return len(p.Server.All(modeltest.FromChild(name))) > 0 }
	if within(settleLimit, begun) && p.host(x.session) != 0 { // keys may have gone to a question
		x.session.runs = append(x.session.runs, name)
	}
	return word
}

func (p *play) attach() string {
	s, ok := one(p, p.sessions)
	if !ok || len(p.screens) > 8 {
		return ""
	}
	ways := [][]string{{"attach", s.id}, {"attach", s.id[len(s.id)-8:]}, {"--session", s.id}, {"-c"}, {"attach"}}
	way := ways[p.random.IntN(len(ways))]
	if way[len(way)-1] == "-c" || len(way) == 1 {
		s = nil
	}
	x := p.start(s, way...)
	if p.random.IntN(4) > 0 {
		p.await("an attached screen", x.shown)
	}
	return "attach by " + strings.Join(way, " ")
}

// leaves waits, or does not, for the end of a screen that was asked to leave.
func (p *play) leaves(x *screen) {
	if p.random.IntN(3) > 0 {
		p.await("the end of a screen", x.ended)
	}
}

func (p *play) detachKey() string {
	x, ok := one(p, p.live())
	if !ok {
		return ""
	}
	x.TryType(harness.KeyCtrlBackslash)
	x.TryType(harness.KeyCtrlBackslash)
	p.leaves(x)
	return "detach"
}

// hangs notes what the end of a terminal means for its session.
func (p *play) hangs(x *screen) {
	if !p.detach {
		p.mayEnd(x.session)
	}
}

// open are screens whose front lives, whatever they show.
func (p *play) open() (all []*screen) {
	for _, x := range p.screens {
		if !x.closed && !x.ended() {
			all = append(all, x)
		}
	}
	return all
}

func (p *play) closeTerminal() string {
	x, ok := one(p, p.open())
	if !ok {
		return ""
	}
	p.hangs(x)
	x.closed = true
	x.Vanish()
	p.leaves(x)
	return "close a terminal"
}

func (p *play) signalFront() string {
	x, ok := one(p, p.open())
	if !ok {
		return ""
	}
	signal, _ := one(p, []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT})
	if signal == syscall.SIGINT {
		p.mayEnd(x.session)
	}
	p.hangs(x)
	p.signal(x.Cmd.Process.Pid, signal)
	return signal.String() + " to a front"
}

func (p *play) killFront() string {
	x, ok := one(p, p.open())
	if !ok {
		return ""
	}
	p.hangs(x)
	x.killed = true
	host := p.host(sessionOf(x))
	x.lost = !x.Opened() || host == 0 || host == x.session.killed // the host may know nothing of it
	p.signal(x.Cmd.Process.Pid, syscall.SIGKILL)
	p.leaves(x)
	return "SIGKILL of a front"
}

// sessionOf is the session of a screen, or one that nobody drives.
func sessionOf(x *screen) *session {
	if x.session == nil {
		return &session{}
	}
	return x.session
}

// deadly notes that the host of a session is about to be gone without a word.
func (p *play) deadly(s *session) {
	s.killed = p.host(s)
	p.mayEnd(s)
	for _, x := range p.screens {
		if x.killed && !x.lost && x.Wrong() != nil {
			x.lost = true
		}
	}
}

func (p *play) killHost() string {
	s, ok := one(p, p.hosted())
	if !ok {
		return ""
	}
	p.deadly(s)
	p.signal(p.host(s), syscall.SIGKILL)
	return "SIGKILL of a host"
}

func (p *play) killGuard() string {
	s, ok := one(p, p.hosted())
	if !ok {
		return ""
	}
	p.mayEnd(s)
	if guard := p.guard(s); guard != 0 {
		p.signal(guard, syscall.SIGKILL)
	}
	return "SIGKILL of a guard"
}

func (p *play) killHostAndGuard() string {
	s, ok := one(p, p.hosted())
	if !ok {
		return ""
	}
	p.deadly(s)
	host := p.host(s)
	if guard := p.guard(s); guard != 0 {
		p.signal(guard, syscall.SIGKILL)
	}
	p.signal(host, syscall.SIGKILL)
	return "SIGKILL of a guard and its host"
}

func (p *play) terminate() string {
	s, ok := one(p, p.hosted())
	if !ok {
		return ""
	}
	p.mayEnd(s)
	pid, who := p.host(s), "host"
	if guard := p.guard(s); guard != 0 && p.random.IntN(2) == 0 {
		pid, who = guard, "guard"
	}
	p.signal(pid, syscall.SIGTERM)
	return "SIGTERM to a " + who
}

func (p *play) replace() string {
	p.install()
	return "replace the program"
}

func (p *play) stopProcess() string {
	var pids []int
	names := map[int]string{}
	add := func(pid int, name string) {
		if pid != 0 {
			pids, names[pid] = append(pids, pid), name
		}
	}
	for _, s := range p.hosted() {
		add(p.host(s), "host")
		add(p.guard(s), "guard")
	}
	for _, x := range p.open() {
		add(x.Cmd.Process.Pid, "front")
	}
	pid, ok := one(p, pids)
	if !ok || len(p.stopped) > 1 {
		return ""
	}
	p.stopped[pid] = names[pid]
	p.signal(pid, syscall.SIGSTOP)
	return "SIGSTOP of a " + names[pid]
}

func (p *play) continueProcess() string {
	if len(p.stopped) == 0 {
		return ""
	}
	p.goOn()
	return "SIGCONT"
}

func (p *play) resize() string {
	x, ok := one(p, p.open())
	if !ok {
		return ""
	}
	x.Resize(40+p.random.IntN(120), 10+p.random.IntN(40))
	return "resize"
}

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
