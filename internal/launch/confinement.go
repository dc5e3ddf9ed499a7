package launch

import (
	"encoding/binary"
	"errors"
	"syscall"
)

// Confinement restricts a command. If any part of it cannot be done the command does not start:
// the caller must know what the kernel can do.
type Confinement struct {
	// Landlock lets the command write only below the Write paths, and signal nothing outside.
	// The paths are absolute; one that does not exist grants nothing.
	Landlock bool
	Write    []string
	// NoNetwork forbids all sockets but socket pairs, and the other ways to reach processes
	// outside.
	NoNetwork bool
	// Loopback still allows IP sockets. The caller must start the helper in a network namespace
	// of its own, whose loopback interface the helper raises.
	Loopback bool
	// Freeze lists absolute paths that become read-only, and Pin those that may be changed but
	// not moved away. Only Namespace can do this. Paths that do not exist are skipped.
	Freeze, Pin []string
	// Hide lists absolute paths whose content the command does not see: a folder is empty and a
	// file has nothing in it. Only Namespace can do this. Paths that do not exist are skipped.
	Hide []string
	// Terminals gives the command pseudo-terminals of its own and hides all others. Only
	// Namespace can do this.
	Terminals bool
}

// The steps of a confinement that can fail.
const (
	StepTold      = "confinement" // the confinement did not arrive whole
	StepFreeze    = "freeze"
	StepHide      = "hide"
	StepLandlock  = "landlock"
	StepFilter    = "filter"
	StepLoopback  = "loopback"
	StepTerminals = "terminals"

	stepCapabilities = "capabilities"
)

// The argument after the mode tells the helper whether a confinement will come through the
// control pipe. Without one of these words it starts nothing.
const (
	wordOpen     = "open"
	wordConfined = "confined"
)

// Encode encodes the confinement for the control pipe, where it comes before all else: a length
// in four bytes, then entries of a letter and a path, each ended by a NUL. It is nil for a nil
// Confinement.
func (c *Confinement) Encode() []byte {
	if c == nil {
		return nil
	}
	text := make([]byte, lengthBytes)
	entry := func(kind byte, paths ...string) {
		for _, path := range paths {
			text = append(append(append(text, kind), path...), 0)
		}
	}
	if c.Landlock {
		entry('l', "")
	}
	if c.NoNetwork {
		entry('n', "")
	}
	if c.Loopback {
		entry('i', "")
	}
	if c.Terminals {
		entry('o', "")
	}
	entry('w', c.Write...)
	entry('f', c.Freeze...)
	entry('p', c.Pin...)
	entry('h', c.Hide...)
	binary.LittleEndian.PutUint32(text, uint32(len(text)-lengthBytes))
	return text
}

const lengthBytes = 4

// decode reads entries. Anything else is an error and never a weaker confinement.
func decode(text []byte) (*Confinement, error) {
	c := &Confinement{}
	for _, entry := range split(string(text), 0) {
		path := entry[1:]
		switch {
		case entry == "l":
			c.Landlock = true
		case entry == "n":
			c.NoNetwork = true
		case entry == "i":
			c.Loopback = true
		case entry == "o":
			c.Terminals = true
		case path == "" || path[0] != '/':
			return nil, syscall.EBADMSG
		case entry[0] == 'w':
			c.Write = append(c.Write, path)
		case entry[0] == 'f':
			c.Freeze = append(c.Freeze, path)
		case entry[0] == 'p':
			c.Pin = append(c.Pin, path)
		case entry[0] == 'h':
			c.Hide = append(c.Hide, path)
		default:
			return nil, syscall.EBADMSG
		}
	}
	return c, nil
}

// readConfinement reads a confinement from the control pipe and not a byte more: requests follow.
func readConfinement(fd int) (*Confinement, error) {
	head := make([]byte, lengthBytes)
	if err := readAll(fd, head); err != nil {
		return nil, err
	}
	text := make([]byte, binary.LittleEndian.Uint32(head))
	if err := readAll(fd, text); err != nil {
		return nil, err
	}
	return decode(text)
}

func readAll(fd int, into []byte) error {
	for len(into) > 0 {
		n, err := readFrom(fd, into)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return err
		case n <= 0:
			return syscall.EPIPE // Pawl is gone
		default:
			into = into[n:]
		}
	}
	return nil
}
