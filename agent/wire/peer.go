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

// maxLine is how much of a server's words people are shown, in runes.
const maxLine = 300

// minKey is the least that is taken for a key: hiding every "k" hides the
// words.
const minKey = 4

// Peer is the server at the other end. It words what goes wrong there.
type Peer struct {
	Name string // as a sentence has it: "Anthropic", "the server"
	Key  string // that must stand in no message

	// Correct, where there is one, knows more of this server's errors than Judge does.
	Correct func(failed *agent.ProviderError, said Fault)
}

// NameOf is what a server is called whose errors people read: its maker's name at the
// maker's own address, else what it is and its host, so that they know whose error it is.
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

// Line makes a server's text fit for one line: no controls, no key, and cut.
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
	for i, word := range said { // servers quote keys in part, or others' keys
		at := strings.Index(word, "sk-")
		if at == 0 || at > 0 && !unicode.IsLetter(rune(word[at-1])) {
			said[i] = word[:at] + "sk-…"
		}
	}
	return words.Cut(mask.Mask{}.Text(strings.Join(said, " ")), maxLine)
}

// Reason is what a server said, in one line, or what its status means where it
// said nothing.
func (p Peer) Reason(said string, status int) string {
	return cmp.Or(p.Line(said), http.StatusText(status), "an error without a message")
}
