package oauth

import (
	"bytes"
	"io"
	"strings"
)

// hidden stands for a token in what a server says.
const hidden = "[masked]"

// hiding is an answer of a server without its tokens, which it may repeat: they must not get to a
// model, a record or a log.
type hiding struct {
	io.ReadCloser
	secrets func() []string
	kept    []byte // read, and not handed on yet
	ready   int    // how much of kept can be handed on
	err     error
	part    []byte
}

// Hiding returns an answer of the server without the session's tokens.
func (b *Bearer) Hiding(answer io.ReadCloser) io.ReadCloser {
	return &hiding{ReadCloser: answer, secrets: b.secrets, part: make([]byte, 32<<10)}
}

func (h *hiding) Read(p []byte) (int, error) {
	for h.ready == 0 && h.err == nil {
		n, err := h.ReadCloser.Read(h.part)
		h.kept, h.err = append(h.kept, h.part[:n]...), err
		h.pass()
	}
	n := copy(p, h.kept[:h.ready])
	h.kept, h.ready = h.kept[n:], h.ready-n
	if n == 0 {
		return 0, h.err
	}
	return n, nil
}

// pass hides tokens in what was read. An end that a token may begin with waits for what follows.
func (h *hiding) pass() {
	held := 0
	for _, secret := range h.secrets() {
		if bytes.Contains(h.kept, []byte(secret)) {
			h.kept = bytes.ReplaceAll(h.kept, []byte(secret), []byte(hidden))
		}
		for n := min(len(secret)-1, len(h.kept)); n > held; n-- {
			if strings.HasPrefix(secret, string(h.kept[len(h.kept)-n:])) {
				held = n
				break
			}
		}
	}
	if h.err != nil {
		held = 0
	}
	h.ready = len(h.kept) - held
}
