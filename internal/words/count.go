package words

import (
	"fmt"
	"strconv"
	"strings"
)

// Count writes a number of things in plain digits: 1 line, 1200 lines, 0 matches.
func Count(n int, thing string) string {
	return strconv.Itoa(n) + " " + noun(n, thing)
}

// CountGrouped is Count with commas between thousands: 1,200 lines.
func CountGrouped(n int, thing string) string {
	return Grouped(int64(n)) + " " + noun(n, thing)
}

// CountOf writes a number in plain digits, followed by one if it is 1 and by many otherwise: 1
// run goes on, 2 runs go on.
func CountOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// noun is the form of a regular English noun, or of words that end in one, after the number n.
func noun(n int, thing string) string {
	switch {
	case n == 1:
		return thing
	case strings.HasSuffix(thing, "ch"), strings.HasSuffix(thing, "ss"):
		return thing + "es"
	case strings.HasSuffix(thing, "ry"):
		return strings.TrimSuffix(thing, "y") + "ies"
	}
	return thing + "s"
}

// Grouped writes a number with commas between its thousands: 1,234,567.
func Grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Size writes a number of bytes in units of 1024, with one decimal above the first: 1023 B, 1.5
// KB, 10.0 MB, 2.3 GB.
func Size(bytes int64) string {
	switch {
	case bytes < 1<<10:
		return fmt.Sprintf("%d B", bytes)
	case bytes < 1<<20:
		return fmt.Sprintf("%.1f KB", float64(bytes)/(1<<10))
	case bytes < 1<<30:
		return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20))
	}
	return fmt.Sprintf("%.1f GB", float64(bytes)/(1<<30))
}

// Lines counts the lines of a text. A final line break does not begin another line; an empty
// text has one line.
func Lines(text string) int { return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1 }
