package tools

import (
	"fmt"
	"slices"

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
