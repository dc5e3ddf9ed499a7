package tools

import (
	"strings"
)

// valid replaces what is no UTF-8. Nothing else is touched: making text fit for
// a terminal is the sanitiser's work, the last step before one.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
