//go:build linux

package hosts

import (
	"syscall"
)

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
