package launch

import (
	"errors"
	"syscall"
)

// Confinement is what a command may do no more than. Whatever of it cannot be done
// keeps the command from starting: who asks for it knows what the kernel can.
type Confinement struct {
	// Landlock lets it write below Write alone, and signal nothing outside. The
	// paths are whole; one that is not there lets it write nowhere.
	Landlock bool
	Write    []string
	// NoNetwork takes from it all sockets but pairs, and what else leads to others.
	NoNetwork bool
	// Loopback leaves it those of IP. Whoever asks for it has started the helper in a
	// network namespace of its own, whose loopback is raised.
	Loopback bool
	// Freeze are whole paths that stay as they are, and Pin those that may be
	// changed but not moved away. Namespace alone can do this. One that is not there
	// is left out.
	Freeze, Pin []string
	// Terminals gives it pseudo-terminals of its own, and takes all others out of its
	// sight. Namespace alone can do this.
	Terminals bool
}

// The steps of a confinement that can fail.
const (
	StepTold      = "confinement" // what it was to be did not arrive whole
	StepFreeze    = "freeze"
	StepLandlock  = "landlock"
	StepFilter    = "filter"
	StepLoopback  = "loopback"
	StepTerminals = "terminals"

	stepRights = "capabilities"
)

// The words before the mode by which the helper knows whether it will be told of a
// confinement. It is never in doubt: it starts nothing without one of them.
const (
	wordOpen     = "open"
	wordConfined = "confined"
)

// Telling is what the helper has to be told through the control pipe before all
// else: a length in four bytes, and entries of a letter and a path, each with a NUL
// at its end. It is nothing where the command is not confined.
func (c *Confinement) Telling() []byte {
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
	length := len(text) - lengthBytes
	for i := range lengthBytes {
		text[i] = byte(length >> (8 * i))
	}
	return text
}

const lengthBytes = 4

// decode reads entries. What is not one is an error, never less of a confinement.
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
		default:
			return nil, syscall.EBADMSG
		}
	}
	return c, nil
}

// hear reads a confinement, and not a byte more: what follows are asks.
func hear(fd int) (*Confinement, error) {
	head := make([]byte, lengthBytes)
	if err := readAll(fd, head); err != nil {
		return nil, err
	}
	length := 0
	for i, b := range head {
		length |= int(b) << (8 * i)
	}
	text := make([]byte, length)
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
