package markdown

import "strings"

// leastColumn is the least width, in cells, of a column that is cut.
const leastColumn = 8

// widths divides the room among the columns. Each gets what its longest word needs, or the
// widest ones shrink; words are broken only if all of them would have to be. It is nil if there
// is not enough room for a table.
func (t *tabled) widths(room int) []int {
	columns := len(t.align)
	room -= 3*columns - 1 // a space on both sides of each column, a bar between
	if columns == 0 || room < columns {
		return nil
	}
	widths, words := make([]int, columns), make([]int, columns)
	total, least, needed := 0, 0, 0
	for i := range columns {
		for _, row := range t.rows {
			width, word := measured(row[i])
			widths[i], words[i] = max(widths[i], width, 1), max(words[i], word, 1)
		}
		needed += min(widths[i], leastColumn)
		widths[i] = min(widths[i], room)
		total += widths[i]
		least += words[i]
	}
	if needed > room {
		return nil
	}
	if least > room {
		for i := range words {
			words[i] = min(words[i], room/columns)
		}
	}
	for ; total > room; total-- {
		widest := -1
		for i, width := range widths {
			if width > words[i] && (widest < 0 || width > widths[widest]) {
				widest = i
			}
		}
		widths[widest]--
	}
	return widths
}

// measured returns the width of a cell and of its longest word.
func measured(runs []run) (width, word int) {
	open := 0 // cells of the current word
	for _, r := range runs {
		for rest := r.Text; ; {
			n := strings.IndexByte(string(rest), ' ')
			if n < 0 {
				open += cells(rest)
				word = max(word, open)
				width += cells(rest)
				break
			}
			word = max(word, open+cells(rest[:n]))
			width += cells(rest[:n]) + 1
			open, rest = 0, rest[n+1:]
		}
	}
	return width, word
}
