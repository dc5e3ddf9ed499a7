// Package bluemonday stands in for the library of that name: see slim/README.md.
package bluemonday

import "strings"

// Policy strips HTML.
type Policy struct{}

// StrictPolicy is the policy that lets no element through.
func StrictPolicy() *Policy { return &Policy{} }

// Sanitize gives text without what stands in angle brackets. The text of a whole
// element and of an open one stays: that this is safe is not for it to see to, for
// nothing here is ever read as HTML.
func (*Policy) Sanitize(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "<")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, after, closed := strings.Cut(rest, ">")
		if !closed {
			b.WriteString("<" + rest)
			return b.String()
		}
		text = after
	}
}
