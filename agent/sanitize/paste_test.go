package sanitize

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPasteKeepsWhatWasWrittenAndNothingThatActs(t *testing.T) {
	for in, want := range map[string]string{
		"func a() {\n\treturn\n}\r\n":    "func a() {\n\treturn\n}\n",
		"\x1b[201~rm -rf /\r":            "[201~rm -rf /",
		"a\u202egpj.exe\u2066":           "agpj.exe",
		"pay\u200bpal \U000e0041\u00ad":  "paypal ",
		"\x9b2J\u009b2J\xc3":             "\uFFFD2J2J\uFFFD",
		"👨\u200d👩 ❤\ufe0f می\u200cخواهم": "👨\u200d👩 ❤\ufe0f می\u200cخواهم",
	} {
		require.Equal(t, Clipping(want), Paste(in))
		require.Equal(t, Clipping(want), Paste(want), "a second time it changes nothing")
	}
}
