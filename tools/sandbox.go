package tools

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"pawl/internal/launch"
)

// SandboxMode is how much a sandbox insists on.
type SandboxMode string

// The modes. An empty one is SandboxAuto.
const (
	SandboxAuto   SandboxMode = "auto"   // as much as the kernel can
	SandboxStrict SandboxMode = "strict" // all of it, and no network but one of its own, or no command at all
	SandboxOff    SandboxMode = "off"    // none: it has to be said
)

// Sandbox confines the commands of a run. The zero value confines them as far as
// the kernel can. It goes to workers as JSON.
type Sandbox struct {
	Mode  SandboxMode `json:"mode"`
	Write []string    `json:"write"` // whole paths below which commands may write too
	// Keep are files that no command changes, where mounts can see to that: those that
	// git's settings include.
	Keep []string `json:"keep,omitempty"`
	// Own are Pawl's own folders: no command changes what is in them, where mounts
	// can see to that.
	Own []string `json:"own"`
}

// Versions of Landlock's interface from which on it can do more.
const (
	landlockTruncates = 3
	landlockScopes    = 6
)

// powers is what this system has for confining.
type powers struct {
	landlock int   // version; 0: none
	why      error // there is none
	mounts   error // why no read-only ones can be made around a command; nil: they can
	filter   error // why sockets cannot be refused; nil: they can
	loopback error // why a command cannot have a network of its own; nil: it can
}

var errNoNamespace = errors.New("commands have no namespace of their own")

// powersHere asks the kernel about Landlock and filters. Mounts and a network depend on
// how a command is contained: until somebody has tried, there are no mounts.
func powersHere() powers {
	p := powers{mounts: errNoNamespace, filter: launch.FilterPossible()}
	p.landlock, p.why = launch.LandlockVersion()
	return p
}

// possible says whether the kernel can hold a command to this sandbox: nil, also
// where it cannot and need not, or one line that says what to do.
func (s Sandbox) possible(p powers) error {
	switch {
	case s.Mode == SandboxStrict && p.landlock == 0:
		return fmt.Errorf(`sandbox = "strict" is not possible: %s: sandbox = "auto" in the user's settings runs commands without it`, noLandlock(p.why))
	case s.Mode == SandboxStrict && p.filter != nil:
		return fmt.Errorf(`sandbox = "strict" is not possible: the network cannot be closed here, because system calls cannot be filtered (seccomp: %w): sandbox = "auto" in the user's settings leaves it open`, p.filter)
	case !slices.Contains([]SandboxMode{"", SandboxAuto, SandboxStrict, SandboxOff}, s.Mode):
		return fmt.Errorf("sandbox %q: must be auto, strict or off", s.Mode)
	}
	return nil
}

// noLandlock says why a kernel has none.
func noLandlock(why error) string {
	if runtime.GOOS != "linux" {
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

// InForce says whether commands are kept from writing outside.
func (s Sandbox) InForce() bool {
	p := powersHere()
	return s.Mode != SandboxOff && p.why == nil && s.possible(p) == nil
}

// confines says whether commands are kept from anything. Nil confines nothing.
func (s *Sandbox) confines() bool { return s != nil && s.Mode != SandboxOff }

// confinement is what the helper is told for a command, with such powers. What is taken
// away after the command is told too.
func (s Sandbox) confinement(p powers, folder string, environ []string) (*launch.Confinement, []string, error) {
	if err := s.possible(p); err != nil {
		return nil, nil, err
	}
	place := placeOf(folder, environ)
	if err := s.settle(&place); err != nil {
		return nil, nil, err
	}
	if s.Mode != SandboxStrict {
		place.makeCaches()
	}
	c := &launch.Confinement{Landlock: p.landlock > 0, NoNetwork: s.Mode == SandboxStrict, Write: reached(s.writable(place))}
	c.Loopback = c.NoNetwork && p.loopback == nil
	if p.mounts == nil {
		place.git.complete()
		c.Freeze, c.Terminals = resolved(s.frozen(place, c.Write)), true
		c.Pin = pins(c.Freeze, c.Write)
	}
	return c, place.git.diversions(), nil
}

// refusedBy words a step of a confinement that the helper could not take.
func refusedBy(report launch.Report) error {
	about := map[string]string{
		launch.StepTold:      "the helper was not told what to confine it to",
		launch.StepFreeze:    `protected files could not be mounted read-only; tools.containment = "subreaper" works without that`,
		launch.StepTerminals: "no terminals of its own could be made",
		launch.StepLandlock:  "Landlock could not be put in force",
		launch.StepFilter:    "sockets could not be refused",
		launch.StepLoopback:  "no network of its own could be made",
	}[report.Step]
	if about == "" {
		return nil
	}
	return fmt.Errorf("not started, because its sandbox cannot be made: %s: %w", about, report.Errno)
}

// place is where a command runs, as far as a sandbox goes by it.
type place struct {
	folder string
	home   string
	env    func(string) string
	git    checkout
	list   func(folder string) []string // the names of the folders in it
}

func placeOf(folder string, environ []string) place {
	if folder == "" {
		folder, _ = os.Getwd() // where there is none nothing is writable
	}
	env := variableOf(environ)
	return place{folder: folder, home: env("HOME"), env: env, list: foldersIn}
}

// variableOf reads an environment: of two values the last one holds.
func variableOf(environ []string) func(string) string {
	return func(name string) string {
		for _, entry := range slices.Backward(environ) {
			if value, found := strings.CutPrefix(entry, name+"="); found {
				return value
			}
		}
		return ""
	}
}

func foldersIn(folder string) []string {
	entries, _ := os.ReadDir(folder) // unread: there is none
	var names []string
	for _, entry := range entries {
		if entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names
}

// resolved are the paths that are there, links followed: the folders around them are
// compared by name.
func resolved(paths []string) []string {
	var real []string
	for _, path := range paths {
		if at, err := filepath.EvalSymlinks(path); err == nil {
			real = append(real, at)
		}
	}
	return real
}
