package script

import (
	"strings"

	"pawl/internal/words"
)

// firstLine is the first line that says something, at a length that fits a screen.
func firstLine(text string) string {
	return words.Cut(words.FirstLine(text), 160)
}

// firstSentence is the first line up to the end of its first sentence.
func firstSentence(text string) string {
	sentence, _, _ := strings.Cut(words.FirstLine(text), ". ")
	return words.Cut(strings.TrimSuffix(strings.TrimSpace(sentence), "."), 160)
}

// facts is a report: what was found in one line, and under it what belongs to it,
// as Markdown.
func facts(lines []string) string {
	if len(lines) < 2 {
		return strings.Join(lines, "")
	}
	return lines[0] + "\n\n- " + strings.Join(lines[1:], "\n- ")
}

// paragraphs joins what is said one after the other.
func paragraphs(parts []string) string { return strings.Join(parts, "\n\n") }

// code marks text that stands in a file or comes from a tool, so that it is shown
// as it is.
func code(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }

// quote shows what somebody wrote, in one short line.
func quote(text string) string {
	return "“" + words.CutLine(text, 60) + "”"
}
