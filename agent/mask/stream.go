package mask

import "strings"

// Stream masks a text that comes in pieces, each of which must be passed on before the
// next arrives. The zero value is ready to use, by one goroutine.
type Stream struct {
	text   string // the end of the text so far, unmasked
	hidden bool   // text ends with a secret or a possible beginning of one, already replaced
}

// How much of a stream is kept, in bytes: enough to see the name before a value, and more
// while a secret is unfinished (a private key is about 3 KB).
const (
	keptEnd  = 256
	keptOpen = 16 << 10
)

// Next masks one piece. It hides what may be the beginning of a secret at the end, since
// it would be too late with the next piece.
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

// unfinishedFrom is where a possible beginning of a secret at the end of s starts, or len(s).
func (m Mask) unfinishedFrom(s string) int {
	const least = 4 // characters of a literal before it is recognized
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
	for literal := range m.literals {
		for n := min(len(literal)-1, len(s)); n >= least; n-- {
			if strings.HasSuffix(s, literal[:n]) {
				from = min(from, len(s)-n)
				break
			}
		}
	}
	return from
}
