package picturetest

import (
	"strings"

	"github.com/charmbracelet/x/vt"
)

// cell is one place of a screen. A wide character stands in the first of its cells;
// the ones behind have no text and no width.
type cell struct {
	text  string
	width int
	style style
}

func (c cell) blank() bool { return strings.TrimSpace(c.text) == "" }

// Screen is what a terminal shows.
type Screen struct {
	width int
	rows  [][]cell
}

// Draw gives a terminal of this size these lines, and says what it shows.
func Draw(content string, width, height int) Screen {
	emulator := vt.NewEmulator(max(1, width), max(1, height))
	_, _ = emulator.WriteString("\x1b[20h" + content) // it takes anything
	return Of(emulator)
}

// Of is what an emulator shows now.
func Of(emulator *vt.Emulator) Screen {
	s := empty(emulator.Width(), emulator.Height())
	for y, row := range s.rows {
		for x := 0; x < s.width; {
			drawn := emulator.CellAt(x, y)
			if drawn == nil || drawn.Width == 0 {
				x++
				continue
			}
			row[x] = cell{drawn.Content, max(1, drawn.Width), styleOf(drawn.Style)}
			for behind := 1; behind < drawn.Width && x+behind < s.width; behind++ {
				row[x+behind] = cell{}
			}
			x += max(1, drawn.Width)
		}
	}
	return s
}

func empty(width, height int) Screen {
	s := Screen{width: width, rows: make([][]cell, height)}
	for y := range s.rows {
		s.rows[y] = make([]cell, width)
		for x := range s.rows[y] {
			s.rows[y][x] = cell{text: " ", width: 1}
		}
	}
	return s
}

// Text is the screen without its looks, lines without trailing spaces.
func (s Screen) Text() string {
	lines := make([]string, len(s.rows))
	for y, row := range s.rows {
		var line strings.Builder
		for _, c := range row {
			line.WriteString(c.text)
		}
		lines[y] = strings.TrimRight(line.String(), " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
}
