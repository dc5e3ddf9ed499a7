package mask

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
)

// Masked stands where a secret stood.
const Masked = "[masked]"

// minLiteral is the length in bytes below which a literal value is no secret.
const minLiteral = 8

// Mask hides secrets in texts: the values it was given, and whatever has the
// shape of one. The zero value hides shapes alone. It is never changed, so it may
// be used by any goroutine.
type Mask struct {
	literals []string // the longest first
}

// New is a mask that also hides these values. One of fewer than eight bytes is
// left alone: hiding every "test" would make a text unreadable and protect nobody.
func New(secrets []string) Mask {
	var m Mask
	for _, secret := range secrets {
		secret = strings.TrimSpace(secret)
		if len(secret) < minLiteral {
			continue
		}
		m.literals = append(m.literals, secret, url.QueryEscape(secret))
	}
	slices.SortFunc(m.literals, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	m.literals = slices.Compact(m.literals)
	return m
}

// span is a part of a text, from its first byte to behind its last.
type span struct{ from, to int }

// Text is s with every secret in it replaced. Text of text changes nothing more.
func (m Mask) Text(s string) string {
	found := m.find(s)
	if len(found) == 0 {
		return s
	}
	return cover(s, found, 0, false)
}

// find lists the secrets of a text in order, none touching another.
func (m Mask) find(s string) []span {
	if len(s) < minLiteral {
		return nil
	}
	var found []span
	for _, literal := range m.literals {
		for at := 0; ; {
			i := strings.Index(s[at:], literal)
			if i < 0 {
				break
			}
			found = append(found, span{at + i, at + i + len(literal)})
			at += i + len(literal)
		}
	}
	if !hintFinder().in(s) {
		return merge(found)
	}
	given := assigns(s)
	for _, shape := range shapes() {
		if shape.assigned && !given || !containsAny(s, shape.hints) {
			continue
		}
		for _, at := range shape.pattern().FindAllStringSubmatchIndex(s, -1) {
			found = append(found, span{at[2], at[3]})
		}
	}
	return merge(found)
}

// merge sorts spans and joins those that touch.
func merge(spans []span) []span {
	if len(spans) < 2 {
		return spans
	}
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	joined := spans[:1]
	for _, next := range spans[1:] {
		last := &joined[len(joined)-1]
		if next.from <= last.to {
			last.to = max(last.to, next.to)
			continue
		}
		joined = append(joined, next)
	}
	return joined
}

// cover writes s from start on, with the spans replaced. A span that began
// before start is replaced as well, unless begun says that its beginning was.
func cover(s string, spans []span, start int, begun bool) string {
	var b strings.Builder
	at := start
	for _, hidden := range spans {
		switch {
		case hidden.to <= start:
			continue
		case hidden.from >= start:
			b.WriteString(s[at:hidden.from])
			b.WriteString(Masked)
		case !begun:
			b.WriteString(Masked)
		}
		at = hidden.to
	}
	b.WriteString(s[at:])
	return b.String()
}

// idle reports whether a text certainly holds no secret.
func (m Mask) idle(text []byte) bool {
	for _, literal := range m.literals {
		if bytes.Contains(text, []byte(literal)) {
			return false
		}
	}
	return !holds(hintFinder(), text)
}

func containsAny(s string, hints []string) bool {
	for _, hint := range hints {
		if strings.Contains(s, hint) {
			return true
		}
	}
	return false
}
