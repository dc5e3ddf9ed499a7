package markdown

import "strings"

// leastColumn is how narrow a column gets, in cells, that has more to say.
const leastColumn = 8

// widths shares the room out among the columns: each has what its words need, or the
// widest give way, and words are broken only where all would have to be. It is nil
// where there is not enough for a table.
func (t *tabled) widths(room int) []int {
	columns := len(t.align)
	room -= 3*columns - 1 // a space on both sides of each, a bar between
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

// measured is how wide a cell is, and how wide its longest word.
func measured(runs []run) (width, word int) {
	open := 0 // cells of the word that goes on
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
