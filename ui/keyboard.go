package ui

import (
	"errors"
	"io"
	"time"

	"golang.org/x/sys/unix"
)

// A terminal without the newer keyboard protocol sends one byte for Esc, with which the
// sequences of other keys begin too. Bubble Tea waits 50 ms for what may follow, and
// has no setting for that: the longest part by far of what Esc takes to stop something.
const (
	escByte = '\x1b'
	// escKey is Esc in the newer protocol, which nothing can follow.
	escKey = "\x1b[27u"
	// escAlone is how long nothing follows a byte that is Esc itself. Terminals write a
	// sequence at once, so the rest of one is there within microseconds.
	escAlone = 2 * time.Millisecond
	// escQuiet is how long no more than a few keys at once have come before, escKeys bytes.
	// A stream, such as a paste over a slow line, may be parted anywhere: there Bubble Tea
	// waits, as ever.
	escQuiet = 50 * time.Millisecond
	escKeys  = 64
)

// keyFile is what Bubble Tea asks of a terminal that it reads.
type keyFile interface {
	io.ReadWriteCloser
	Fd() uintptr
	Name() string
}

// keyboard is a terminal that tells Esc at once. Only one goroutine reads it.
type keyboard struct {
	keyFile
	now  func() time.Time
	last time.Time // more came than keys
}

// keyboardOf is the keyboard of an input; of one that is no file, the input itself.
func keyboardOf(in io.Reader) io.Reader {
	if file, ok := in.(keyFile); ok {
		return &keyboard{keyFile: file, now: time.Now}
	}
	return in
}

// Read implements io.Reader.
func (k *keyboard) Read(to []byte) (int, error) {
	n, err := k.keyFile.Read(to)
	now := k.now()
	quiet := now.Sub(k.last) >= escQuiet
	if n > escKeys {
		k.last = now
	}
	if err == nil && n == 1 && to[0] == escByte && quiet && len(to) >= len(escKey) && !k.goesOn() {
		n = copy(to, escKey)
	}
	return n, err
}

// goesOn says whether more comes, or may: what cannot be asked is left to Bubble Tea.
func (k *keyboard) goesOn() bool {
	files := []unix.PollFd{{Fd: int32(k.Fd()), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(files, int(escAlone.Milliseconds()))
		if !errors.Is(err, unix.EINTR) {
			return n != 0 || err != nil
		}
	}
}
