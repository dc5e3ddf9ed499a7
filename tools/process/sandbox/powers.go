package sandbox

import (
	"errors"
	"runtime"
	"syscall"

	"pawl/internal/launch"
)

// Versions of Landlock's interface from which on it can do more.
const (
	landlockTruncates = 3
	landlockScopes    = 6
)

// Powers is what this system has for confining. Probe makes it; who starts helpers finds
// out about Mounts and Loopback.
type Powers struct {
	landlock int   // version; 0: none
	why      error // there is none
	seatbelt bool  // macOS: its sandbox takes Landlock's place, and that of mounts
	Mounts   error // why no read-only ones can be made around a command; nil: they can
	filter   error // why sockets cannot be refused; nil: they can
	Loopback error // why a command cannot have a network of its own; nil: it can
}

var errNoNamespace = errors.New("commands have no namespace of their own")

// Probe asks the kernel about Landlock and filters, and macOS about Seatbelt. Mounts and a network depend on
// how a command is contained: until somebody has tried, there are no mounts.
func Probe() Powers {
	p := Powers{Mounts: errNoNamespace, filter: launch.FilterPossible()}
	p.landlock, p.why = launch.LandlockVersion()
	if runtime.GOOS == "darwin" {
		p.why = seatbelt()
		p.seatbelt = p.why == nil
	}
	return p
}

// confines says whether commands can be kept from writing outside.
func (p Powers) confines() bool { return p.landlock > 0 || p.seatbelt }

// freezes says whether files can be made read-only around a command.
func (p Powers) freezes() bool { return p.Mounts == nil || p.seatbelt }

func noLandlock(why error) string {
	switch runtime.GOOS {
	case "linux":
	case "darwin":
		return why.Error()
	default:
		return runtime.GOOS + " has no Landlock"
	}
	switch {
	case errors.Is(why, syscall.EOPNOTSUPP):
		return "this kernel has Landlock, but it was switched off at boot (lsm=)"
	case errors.Is(why, syscall.EPERM), errors.Is(why, syscall.EACCES):
		return "a container or a rule of this system forbids Landlock"
	}
	return "this kernel has no Landlock (Linux 5.13)"
}
