package sandbox

import (
	"cmp"
	"fmt"
	"os"
)

// Report says what commands are kept from here, in words for people.
type Report struct {
	Mode     Mode
	InForce  bool // they write inside alone
	Landlock int  // version of the kernel's interface; 0: none
	Seatbelt bool // macOS: by its sandbox
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

// Report says what the policy does with such powers.
func (s Policy) Report(p Powers) Report {
	report := Report{Mode: cmp.Or(s.Mode, Auto), Network: NetworkOpen, Landlock: p.landlock, Seatbelt: p.seatbelt, Err: s.possible(p)}
	if report.Err != nil {
		return report
	}
	report.InForce = s.InForce()
	report.Frozen = s.Mode != Off && p.freezes()
	switch {
	case s.Mode != Strict:
	case p.Loopback == nil:
		report.Network = NetworkOwn
	default:
		report.Network = NetworkNone
	}
	switch {
	case s.Mode == Off:
		report.Why = `the setting sandbox is "off"`
	case !p.confines():
		report.Why = noLandlock(p.why)
	}
	report.Covers, report.Gaps = s.covers(p, report), s.gaps(p, report)
	return report
}

func (s Policy) covers(p Powers, r Report) []string {
	var all []string
	if r.InForce {
		where := "the folder, the temporary folders, the git folder, the caches of tools and sandbox.write"
		if s.Mode == Strict {
			where = "the folder, the temporary folders, the git folder and sandbox.write"
		}
		all = append(all, "A command writes only below "+where+".", "It cannot read the memory or the environment of processes outside.")
	}
	if r.Frozen {
		all = append(all, "Git's settings and hooks, .pawl, .mcp.json and Pawl's own folders are read-only for it.")
	}
	if r.Frozen && !p.seatbelt {
		all = append(all, "It has its own pseudo-terminals, and cannot reach yours.")
	}
	if p.seatbelt && r.InForce {
		all = append(all, "It cannot signal processes outside, or have other programs start anything for it.")
	}
	if r.InForce && p.landlock >= landlockScopes {
		all = append(all, "It cannot signal processes outside, or reach their abstract Unix sockets.")
	}
	switch r.Network {
	case NetworkOpen:
	case NetworkOwn:
		all = append(all, "It has its own network, where only servers that it starts answer, and cannot open any other socket: no Unix socket, no vsock.")
	case NetworkNone:
		all = append(all, fmt.Sprintf("It cannot open any socket, not even to itself: %v.", p.Loopback))
	}
	if s.Mode != Off && !p.seatbelt {
		all = append(all, "It cannot gain rights: sudo does not work, su works only for root, and ping gets no raw socket. As root it keeps only the rights over files, owners, users, its processes, low ports and chroot.")
	}
	return all
}

// gaps says in words what the sandbox leaves open.
func (s Policy) gaps(p Powers, r Report) []string {
	if !r.InForce {
		all := []string{"A command can do what you can do, and a background run can use the shell only if an allow rule says so."}
		if r.Frozen {
			all[0] = "A command can change every file that you can, except the read-only ones, and a background run can use the shell only if an allow rule says so."
		}
		return all
	}
	all := []string{}
	if p.seatbelt {
		all = append(all, "Pawl's makers could not try this sandbox on macOS: Seatbelt's profile is tested as text, and that this system takes it.")
	}
	all = append(all,
		"Reading is not restricted: a command reads what you can read.",
		"A command can change the modes, owners, times and attributes of your files outside, but not their contents.",
		"Your other programs see what a command leaves in a temporary folder or a cache.",
		"A git folder that a command makes or clones can have hooks of its own. If a command makes a file commondir in one, git uses another folder instead until the command has ended.",
		"MCP servers, hooks and your editor are not confined: you have agreed to them.",
	)
	if r.Network == NetworkOpen {
		all = append(all, `The network is open: a command can send what it reads; sandbox = "strict" closes it.`,
			"Unix sockets are open: a command can reach docker, ssh-agent and whatever else you can, and what those do is not confined.")
	} else {
		all = append(all, "What is written into a network folder goes to that other machine.")
	}
	if r.Frozen {
		all = append(all, "Where .git/hooks, .git/config, .pawl or .mcp.json is a symbolic link, a command can replace the link; what it points to is read-only.")
	} else {
		all = append(all, fmt.Sprintf("Git's settings and hooks, .pawl and .mcp.json in the folder can be changed by a command: %v.", p.Mounts),
			"Your terminals are open: a command can write to them, and read what you type there.")
	}
	if p.seatbelt {
		return all
	}
	if p.landlock < landlockTruncates {
		all = append(all, fmt.Sprintf("Files outside can be truncated: this kernel's Landlock (version %d) does not cover that.", p.landlock))
	}
	if p.landlock < landlockScopes {
		all = append(all, fmt.Sprintf("Signals and abstract Unix sockets are open: this kernel's Landlock (version %d) does not cover them.", p.landlock))
	}
	if os.Getuid() == 0 {
		all = append(all, "You are root: a command can read every file, and change the mode and owner of any.")
	}
	return all
}
