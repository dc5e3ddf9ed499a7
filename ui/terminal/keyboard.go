package terminal

import (
	"io"
	"strings"
	"time"
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
	// waits, as ever. It is also how late the rest of a sequence may be.
	escQuiet = 50 * time.Millisecond
	escKeys  = 64
)

// What stands around a paste: nothing within is a key.
const (
	pasteBegins = "\x1b[200~"
	pasteEnds   = "\x1b[201~"
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
	now     func() time.Time
	last    time.Time // more came than keys
	told    time.Time // a byte was told as Esc
	sure    bool      // keys come whole: it is here, or one has
	slow    bool      // they do not: what was told was the beginning of one
	pasting bool
	ends    string // the last bytes, in which a mark of a paste may have begun
}

// KeyboardOf is the keyboard of an input; of one that is no file, the input itself.
func KeyboardOf(in io.Reader, env []string) io.Reader {
	if file, ok := in.(keyFile); ok {
		return &keyboard{keyFile: file, now: time.Now, sure: !distant(env)}
	}
	return in
}

// distant reports whether the variables tell of a line to the terminal: that may part
// the bytes of a key.
func distant(env []string) bool {
	return variable(env, "SSH_CONNECTION") != "" || variable(env, "SSH_TTY") != "" || strings.HasPrefix(variable(env, "TERM"), "vt")
}

// Read implements io.Reader.
func (k *keyboard) Read(to []byte) (int, error) {
	n, err := k.keyFile.Read(to)
	if err != nil || n == 0 {
		return n, err
	}
	now := k.now()
	quiet := now.Sub(k.last) >= escQuiet
	if n > escKeys {
		k.last = now
	}
	if n > 2 && to[0] == escByte {
		k.sure = true
	}
	k.followPaste(string(to[:n]))
	switch {
	case k.late(to[:n], now) && n < len(to):
		k.slow = true
		copy(to[1:], to[:n])
		to[0] = escByte
		n++
	case n == 1 && to[0] == escByte && quiet && k.tells(to) && !k.goesOn():
		k.told = now
		n = copy(to, escKey)
	}
	return n, nil
}

// tells says whether Esc may be told now, in so much room.
func (k *keyboard) tells(room []byte) bool {
	return k.sure && !k.slow && !k.pasting && len(room) >= len(escKey)
}

// late says whether the rest of a key has come whose first byte was told as Esc. That
// cannot be taken back, but the rest is no text, and the line is one that parts keys.
func (k *keyboard) late(read []byte, now time.Time) bool {
	late := (read[0] == '[' || read[0] == 'O') && now.Sub(k.told) < escQuiet
	k.told = time.Time{}
	return late
}

// followPaste notes whether what comes next stands in a paste.
func (k *keyboard) followPaste(read string) {
	all := k.ends + read
	begins, ends := strings.LastIndex(all, pasteBegins), strings.LastIndex(all, pasteEnds)
	if begins != ends {
		k.pasting = begins > ends
	}
	k.ends = all[max(0, len(all)-len(pasteBegins)+1):]
}

// goesOn says whether more comes, or may: what cannot be asked is left to Bubble Tea.
func (k *keyboard) goesOn() bool {
	return readable(int32(k.Fd()), escAlone)
}
