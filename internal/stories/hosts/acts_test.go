//go:build linux

package hosts

import (
	"fmt"
	"strings"
	"syscall"

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

func (p *play) resize() string {
	x, ok := one(p, p.open())
	if !ok {
		return ""
	}
	x.Resize(40+p.random.IntN(120), 10+p.random.IntN(40))
	return "resize"
}
