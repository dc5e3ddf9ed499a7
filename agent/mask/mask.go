package mask

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// Masked replaces a secret.
const Masked = "[masked]"

// minLiteral is the shortest value that is treated as a secret, in bytes.
const minLiteral = 8

// Mask hides secrets in texts: the values that it was given, and everything that has a known
// shape. The zero value hides shapes only. Any goroutine may use it.
type Mask struct {
	given   []string // longest first
	learned *Learned // more, which may grow; nil: none
}

// New returns a mask that also hides these values. Values of fewer than eight bytes are
// ignored: hiding every "test" would make a text unreadable and protect nobody.
func New(secrets []string) Mask { return Mask{given: literalsOf(secrets)} }

// literalsOf are the texts to look for, longest first.
func literalsOf(secrets []string) (texts []string) {
	for _, secret := range secrets {
		secret = strings.TrimSpace(secret)
		if len(secret) < minLiteral {
			continue
		}
		once := inJSON(secret)
		texts = append(texts, secret, url.QueryEscape(secret), once, inJSON(once)) // JSON often stands in a text of JSON
	}
	slices.SortFunc(texts, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.Compact(texts)
}

// inJSON is how a secret is spelled within a JSON text.
func inJSON(secret string) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(secret) != nil { // no string fails
		return secret
	}
	quoted := bytes.TrimSuffix(text.Bytes(), []byte("\n"))
	return string(quoted[1 : len(quoted)-1])
}

// literals yields every text to look for.
func (m Mask) literals(yield func(string) bool) {
	for _, some := range [][]string{m.given, m.learned.literals()} {
		for _, literal := range some {
			if !yield(literal) {
				return
			}
		}
	}
}

// span is a part of a text, from its first byte to the one after its last.
type span struct{ from, to int }

// Text is s with every secret replaced. It is idempotent.
func (m Mask) Text(s string) string {
	found := m.find(s)
	if len(found) == 0 {
		return s
	}
	return cover(s, found, 0, false)
}

// find lists the secrets of a text in order, without overlaps.
func (m Mask) find(s string) []span {
	if len(s) < minLiteral {
		return nil
	}
	var found []span
	for literal := range m.literals {
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

// cover returns s from start on, with the spans replaced. A span that began before start
// is replaced too, unless begun says that this has been done.
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

// idle reports whether a JSON text certainly contains no secret, nor a field that is named for one.
func (m Mask) idle(text []byte) bool {
	for literal := range m.literals {
		if bytes.Contains(text, []byte(literal)) {
			return false
		}
	}
	return !holds(fieldFinder(), text)
}

func containsAny(s string, hints []string) bool {
	return slices.ContainsFunc(hints, func(hint string) bool { return strings.Contains(s, hint) })
}
