package words

import "strings"

// WithoutEllipsis is the end of a name without the ellipsis that says that it is one: …a3f2 or ...a3f2.
func WithoutEllipsis(end string) string {
	if rest, cut := strings.CutPrefix(end, "…"); cut {
		return rest
	}
	return strings.TrimPrefix(end, "...")
}
