package terminal

import (
	"io"
	"strings"
	"time"
)

// A terminal without the newer keyboard protocol sends one byte for Esc, with which the
// sequences of other keys begin too. Bubble Tea waits 50 ms for more, which cannot be
// configured: by far the longest part of the time that Esc takes to stop something.
const (
	escByte = '\x1b'
	// escKey is Esc in the newer protocol, which nothing can follow.
	escKey = "\x1b[27u"
	// escAlone is how long nothing must follow for the byte to be Esc itself. Terminals write a
	// sequence at once, so its rest arrives within microseconds.
	escAlone = 2 * time.Millisecond
	// escQuiet is for how long at most escKeys bytes, a few keys, must have come before. A
	// stream, such as a paste over a slow line, may be split anywhere: then Bubble Tea waits as
	// usual. It is also how late the rest of a sequence may come.
	escQuiet = 50 * time.Millisecond
	escKeys  = 64
)

// The marks around a paste: nothing inside is a key.
const (
	pasteBegins = "\x1b[200~"
	pasteEnds   = "\x1b[201~"
)

// keyFile is what Bubble Tea needs of a terminal that it reads.
type keyFile interface {
	io.ReadWriteCloser
	Fd() uintptr
	Name() string
}

// keyboard is a terminal that reports Esc at once. Only one goroutine may read it.
type keyboard struct {
	keyFile
	out     *Output // of the same terminal; may be nil
	now     func() time.Time
	last    time.Time // when more than a few keys came last
	told    time.Time // when a byte was last reported as Esc
	sure    bool      // keys come whole: the terminal is local, or one has come so
	slow    bool      // keys come split: a reported Esc was the beginning of one
	pasting bool
	ends    string // the last bytes, which may hold the beginning of a paste mark
}

// KeyboardOf returns the keyboard of an input, or the input itself if it is not a file. What it
// finds out about the terminal it tells the output, which may be nil.
func KeyboardOf(in io.Reader, env []string, out *Output) io.Reader {
	if file, ok := in.(keyFile); ok {
		return &keyboard{keyFile: file, out: out, now: time.Now, sure: !distant(env)}
	}
	return in
}

// Fd returns the terminal's descriptor, or an invalid one once it was given up.
func (k *keyboard) Fd() uintptr { return k.out.valid(k.keyFile.Fd()) }

// distant reports whether the terminal is remote: a line may split the bytes of a key.
func distant(env []string) bool {
	return variable(env, "SSH_CONNECTION") != "" || variable(env, "SSH_TTY") != "" || strings.HasPrefix(variable(env, "TERM"), "vt")
}

// Read implements io.Reader. In raw mode no key ends the input: its end is the terminal's.
func (k *keyboard) Read(to []byte) (int, error) {
	n, err := k.keyFile.Read(to)
	if err != nil {
		k.out.Lose()
	}
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

// tells reports whether Esc may be reported now, given the room for it.
func (k *keyboard) tells(room []byte) bool {
	return k.sure && !k.slow && !k.pasting && len(room) >= len(escKey)
}

// late reports whether the rest of a key has come whose first byte was reported as Esc. That
// cannot be undone, but the rest is not text, and the line splits keys.
func (k *keyboard) late(read []byte, now time.Time) bool {
	late := (read[0] == '[' || read[0] == 'O') && now.Sub(k.told) < escQuiet
	k.told = time.Time{}
	return late
}

// followPaste notes whether what comes next is inside a paste.
func (k *keyboard) followPaste(read string) {
	all := k.ends + read
	begins, ends := strings.LastIndex(all, pasteBegins), strings.LastIndex(all, pasteEnds)
	if begins != ends {
		k.pasting = begins > ends
	}
	k.ends = all[max(0, len(all)-len(pasteBegins)+1):]
}

// goesOn reports whether more comes, or may come: if it cannot be known Bubble Tea waits.
func (k *keyboard) goesOn() bool {
	return readable(int32(k.keyFile.Fd()), escAlone)
}
