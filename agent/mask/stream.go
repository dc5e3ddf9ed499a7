package mask

import "strings"

// Stream masks a text that comes in pieces, each of which must go on before the
// next is there. The zero value is its beginning. One goroutine uses it.
type Stream struct {
	text   string // the end of what came so far, unmasked
	hidden bool   // it closes with a secret, or with what may be the beginning of one, and was written so
}

// How much of a stream is kept, in bytes: enough to know what a value is by the
// name before it, and more while a secret is open (a private key is about 3 KB).
const (
	keptEnd  = 256
	keptOpen = 16 << 10
)

// Next masks one piece. Whatever may be the beginning of a secret at its end is
// hidden at once: the next piece is too late.
func (s *Stream) Next(hide Mask, piece string) string {
	before := *s
	whole := before.text + piece
	found := hide.find(whole)
	if from := hide.unfinishedFrom(whole); from < len(whole) {
		found = merge(append(found, span{from, len(whole)}))
	}
	*s = Stream{text: whole[max(0, len(whole)-keptEnd):]}
	if n := len(found); n > 0 && found[n-1].to == len(whole) {
		from := max(min(found[n-1].from, len(whole)-len(s.text)), len(whole)-keptOpen)
		*s = Stream{text: whole[from:], hidden: true}
	}
	return cover(whole, found, len(before.text), before.hidden)
}

// unfinishedFrom is where the beginning of a secret stands at the end of s, or len(s).
func (m Mask) unfinishedFrom(s string) int {
	const least = 4 // letters of a literal that give it away
	from := len(s)
	tail := s[max(0, len(s)-keptEnd):]
	some := unfinishedHints().in(tail)
	for _, beginning := range unfinished() {
		if !some || !containsAny(tail, beginning.hints) {
			continue
		}
		if at := beginning.pattern().FindStringSubmatchIndex(tail); at != nil {
			from = min(from, len(s)-len(tail)+at[2])
		}
	}
	for _, literal := range m.literals {
		for n := min(len(literal)-1, len(s)); n >= least; n-- {
			if strings.HasSuffix(s, literal[:n]) {
				from = min(from, len(s)-n)
				break
			}
		}
	}
	return from
}
