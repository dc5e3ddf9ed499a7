package bluemonday

import "testing"

func TestSanitizeTakesElementsAwayAndLeavesTheirText(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "",
		"no element":                  "no element",
		"<b>bold</b> and <br/>plain":  "bold and plain",
		"1 < 2":                       "1 < 2",
		"a <!-- comment --> b":        "a  b",
		"<a href=\"x\">open &amp; on": "open &amp; on",
	} {
		if got := StrictPolicy().Sanitize(text); got != want {
			t.Errorf("Sanitize(%q) = %q, want %q", text, got, want)
		}
	}
}
