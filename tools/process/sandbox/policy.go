package sandbox

import (
	"fmt"
	"slices"

	"pawl/internal/launch"
)

// Mode is how much a sandbox insists on.
type Mode string

// The modes. An empty one is Auto.
const (
	Auto   Mode = "auto"   // as much as the kernel can
	Strict Mode = "strict" // all of it, and no network but one of its own, or no command at all
	Off    Mode = "off"    // none: it has to be said
)

// Policy says what the commands of a run are kept from. The zero value confines them as
// far as the kernel can. It goes to workers as JSON.
type Policy struct {
	Mode  Mode     `json:"mode"`
	Write []string `json:"write"` // whole paths below which commands may write too
	// Keep are files that no command changes, where mounts can see to that: those that
	// git's settings include.
	Keep []string `json:"keep,omitempty"`
	// Own are Pawl's own folders: no command changes what is in them, where mounts
	// can see to that.
	Own []string `json:"own"`
	// Keys are files of Pawl's own that hold keys, by their whole paths: no command sees what is in
	// them, where mounts can see to that.
	Keys []string `json:"keys,omitempty"`

	// Closed is for a command that nobody was asked about: it reaches no network but one of its
	// own, writes to no cache of the user's, and does not see what is in Hide and in the usual
	// places of keys. It runs only where the sandbox is whole.
	Closed bool     `json:"closed,omitempty"`
	Hide   []string `json:"hide,omitempty"` // whole paths; only where Closed
	// Reads, with Closed, is for a command that only reads: it writes nowhere but to devices.
	Reads bool `json:"reads,omitempty"`
}

// possible says whether the kernel can hold a command to this sandbox: nil, also
// where it cannot and need not, or one line that says what to do.
func (s Policy) possible(p Powers) error {
	switch {
	case s.Mode == Strict && !p.confines():
		return fmt.Errorf(`sandbox = "strict" is not possible: %s: sandbox = "auto" in the user's settings runs commands without it`, noLandlock(p.why))
	case s.Mode == Strict && p.filter != nil && !p.seatbelt:
		return fmt.Errorf(`sandbox = "strict" is not possible: the network cannot be closed here, because system calls cannot be filtered (seccomp: %w): sandbox = "auto" in the user's settings leaves it open`, p.filter)
	case !slices.Contains([]Mode{"", Auto, Strict, Off}, s.Mode):
		return fmt.Errorf("sandbox %q: must be auto, strict or off", s.Mode)
	case s.Closed:
		return s.Whole(p)
	}
	return nil
}

// strict says whether the network and the caches are closed.
func (s Policy) strict() bool { return s.Mode == Strict || s.Closed }

// InForce says whether commands are kept from writing outside here. It asks the kernel.
func (s Policy) InForce() bool {
	p := Probe()
	return s.Mode != Off && p.confines() && s.possible(p) == nil
}

// Confines says whether commands are kept from anything. Nil confines nothing.
func (s *Policy) Confines() bool { return s != nil && (s.Mode != Off || s.Closed) }

// Confinement is what the helper is told for a command that runs in folder, with such
// powers and such an environment, and the diversions that are to be removed when it has
// ended. It makes the caches and the files of git that must be there before. An error says
// in one line why the command must not be started.
func (s Policy) Confinement(p Powers, folder string, environ []string) (c *launch.Confinement, diversions []string, err error) {
	if err := s.possible(p); err != nil {
		return nil, nil, err
	}
	place := placeOf(folder, environ)
	if err := s.settle(&place); err != nil {
		return nil, nil, err
	}
	if s.Closed {
		if err := Narrow(place.folder, environ); err != nil {
			return nil, nil, err
		}
	}
	if !s.strict() {
		place.makeCaches()
	}
	c = &launch.Confinement{Landlock: p.confines(), NoNetwork: s.strict(), Write: reached(s.writable(place))}
	c.Loopback = c.NoNetwork && p.Loopback == nil
	if p.freezes() {
		place.git.complete()
		c.Freeze, c.Terminals = resolved(s.frozen(place, c.Write)), true
		c.Hide = resolved(s.Keys)
	}
	if s.Closed {
		c.Hide = s.hidden(place, c.Write)
	}
	c.Pin = pins(slices.Concat(c.Freeze, c.Hide), c.Write)
	return c, place.git.diversions(), nil
}
