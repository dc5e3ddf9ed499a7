package wire

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"pawl/agent"
	"pawl/agent/mask"
	"pawl/internal/words"
)

// maxLine is how much of a server's message people are shown, in runes.
const maxLine = 300

// minKey is the shortest key that is masked: masking every "k" would make messages unreadable.
const minKey = 4

// Peer is the server at the other end. It writes the messages about its errors.
type Peer struct {
	Name string // as used in a sentence: "Anthropic", "the server"
	Key  string // which no message may contain
	// Keyless: it may be asked without a key, because other headers say who asks.
	Keyless bool

	// Correct, if set, refines the errors that Judge returns for this server.
	Correct func(failed *agent.ProviderError, said Fault)
}

// NameOf is how messages name a server: by its maker at the official address, else as
// other with its host, so that people know whose error it is.
func NameOf(maker, official, other, base string) string {
	at, err := url.Parse(base)
	own, _ := url.Parse(official)
	switch {
	case err != nil || at.Host == "":
		return other
	case own != nil && own.Host == at.Host:
		return maker
	}
	return other + " at " + at.Host
}

// Line makes a server's text safe for one line: without control characters and keys, and cut.
func (p Peer) Line(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, text)
	if len(p.Key) >= minKey {
		text = strings.ReplaceAll(text, p.Key, "[key]")
	}
	said := strings.Fields(text)
	for i, word := range said { // servers quote parts of keys, and other keys
		at := strings.Index(word, "sk-")
		if at == 0 || at > 0 && !unicode.IsLetter(rune(word[at-1])) {
			said[i] = word[:at] + "sk-…"
		}
	}
	return words.Cut(mask.Mask{}.Text(strings.Join(said, " ")), maxLine)
}

// Reason is what a server said, in one line, or what its status means if it said nothing.
func (p Peer) Reason(said string, status int) string {
	return cmp.Or(p.Line(said), http.StatusText(status), "an error without a message")
}
