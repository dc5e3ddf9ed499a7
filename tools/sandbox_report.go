package tools

import (
	"context"
	"fmt"
	"os"
)

// SandboxReport says what commands are kept from here.
type SandboxReport struct {
	Mode     SandboxMode
	InForce  bool // they write inside alone
	Landlock int  // version of the kernel's interface; 0: none
	Frozen   bool // git's settings and hooks, and Pawl's own files, are mounted read-only, and terminals are hidden
	Network  Network
	Why      string
	Covers   []string // a sentence each
	Gaps     []string // the same, of what it does not cover
	Err      error    // why no command can be started
}

// Network says what of a network commands reach.
type Network string

// The networks, a closed set.
const (
	NetworkOpen Network = "open" // what this machine reaches
	NetworkOwn  Network = "own"  // one of the command's own, in which nothing else is
	NetworkNone Network = "none"
)

// CheckSandbox finds out what is possible here, as the first command does.
func CheckSandbox(ctx context.Context, wanted Containment, s Sandbox) SandboxReport {
	report := SandboxReport{Mode: s.Mode, Network: NetworkOpen}
	if report.Mode == "" {
		report.Mode = SandboxAuto
	}
	mode, err := modeFor(ctx, wanted)
	if err != nil {
		report.Err = err
		return report
	}
	p := s.powersHere(ctx, mode)
	report.Landlock, report.Err = p.landlock, s.possible(p)
	if report.Err != nil {
		return report
	}
	report.InForce = s.InForce()
	report.Frozen = s.Mode != SandboxOff && p.mounts == nil
	switch {
	case s.Mode != SandboxStrict:
	case p.loopback == nil:
		report.Network = NetworkOwn
	default:
		report.Network = NetworkNone
	}
	switch {
	case s.Mode == SandboxOff:
		report.Why = `the setting sandbox is "off"`
	case p.landlock == 0:
		report.Why = noLandlock(p.why)
	}
	report.Covers, report.Gaps = s.covers(p, report), s.gaps(p, report)
	return report
}

func (s Sandbox) covers(p powers, r SandboxReport) []string {
	var all []string
	if r.InForce {
		where := "the folder, the temporary folders, the git folder, the caches of tools and sandbox.write"
		if s.Mode == SandboxStrict {
			where = "the folder, the temporary folders, the git folder and sandbox.write"
		}
		all = append(all, "A command writes only below "+where+".", "It reads no memory and no environment of a process outside.")
	}
	if r.Frozen {
		all = append(all, "Git's settings and hooks, .pawl, .mcp.json and Pawl's own folders are read-only to it.", "It has pseudo-terminals of its own, and reaches none of yours.")
	}
	if r.InForce && p.landlock >= landlockScopes {
		all = append(all, "It signals no process outside, and reaches no abstract socket there.")
	}
	switch r.Network {
	case NetworkOpen:
	case NetworkOwn:
		all = append(all, "It has a network of its own, in which only what it starts answers, and opens no other socket: none with a path, none of a virtual machine.")
	case NetworkNone:
		all = append(all, fmt.Sprintf("It opens no socket, not to itself either: %v.", p.loopback))
	}
	if s.Mode != SandboxOff {
		all = append(all, "It gains no rights: sudo gets none, nor does su but for root, and ping no raw socket. Of root's it keeps those over files, owners, users, its processes, low ports and chroot alone.")
	}
	return all
}

// gaps says in words what the sandbox leaves open.
func (s Sandbox) gaps(p powers, r SandboxReport) []string {
	if !r.InForce {
		all := []string{"A command can do what you can do, and a run in the background gets a shell only by an allow rule."}
		if r.Frozen {
			all[0] = "A command can change all files that you can but the read-only ones, and a run in the background gets a shell only by an allow rule."
		}
		return all
	}
	all := []string{
		"Reading is free: a command reads what you can read.",
		"Modes, owners, times and attributes of your files outside can be changed, their contents not.",
		"What a command leaves in a temporary folder or a cache is there for your other programs too.",
		"A git folder that a command makes or clones can have hooks of its own, and one in which it makes a file commondir obeys another one until the command has ended.",
		"MCP servers, hooks and your editor are not confined: you have agreed to them.",
	}
	if r.Network == NetworkOpen {
		all = append(all, `The network is open: a command can send what it reads; sandbox = "strict" closes it.`,
			"Sockets with a path are open: docker's, ssh-agent's and others that you may use, and what is behind them is not confined.")
	} else {
		all = append(all, "What is written into a folder that lies on another machine goes there.")
	}
	if r.Frozen {
		all = append(all, "A link in the place of .git/hooks, .git/config, .pawl or .mcp.json can be replaced: what it leads to is read-only, the link is not.")
	} else {
		all = append(all, fmt.Sprintf("Git's settings and hooks, .pawl and .mcp.json in the folder can be changed by a command: %v.", p.mounts),
			"Your terminals are open: a command can write to them, and read what you type there.")
	}
	if p.landlock < landlockTruncates {
		all = append(all, fmt.Sprintf("Files outside can be cut short: this kernel's Landlock (version %d) does not cover that.", p.landlock))
	}
	if p.landlock < landlockScopes {
		all = append(all, fmt.Sprintf("Signals and abstract sockets are open: this kernel's Landlock (version %d) does not cover them.", p.landlock))
	}
	if os.Getuid() == 0 {
		all = append(all, "You are root: a command reads every file, and changes modes and owners of all.")
	}
	return all
}
