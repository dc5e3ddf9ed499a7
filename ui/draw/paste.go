package draw

import (
	"unicode/utf8"

	"pawl/agent/sanitize"
	"pawl/internal/words"
)

// PasteMark is what stands for a folded paste: which of its message it is, and how much it holds.
func PasteMark(number int, text string) sanitize.Text {
	if lines := words.Lines(text); lines > 1 {
		return Sprintf("[paste %d: %s lines]", number, words.Grouped(int64(lines)))
	}
	return Sprintf("[paste %d: %s characters]", number, words.Grouped(int64(utf8.RuneCountInString(text))))
}
