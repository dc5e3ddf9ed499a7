package handover

import (
	"errors"
	"fmt"
	"os"

	"github.com/charmbracelet/x/term"

	"pawl/internal/tty"
)

// lends returns what is wrong with the descriptors of an attach.
func lends(files []*os.File) error {
	if len(files) < 2 {
		return errors.New("attach: it needs the two descriptors of a terminal, to read and to write")
	}
	for i, file := range files[:2] {
		if len(tty.Find(int(file.Fd()))) == 0 {
			return fmt.Errorf("attach: descriptor %d of 2 is no terminal, or one that was closed", i+1)
		}
	}
	if err := drawable(files); err != nil {
		return fmt.Errorf("attach: %w", err)
	}
	return nil
}

// mostCells is how large a terminal may be: far more than any display has. It can claim more, and
// each cell takes memory as soon as a screen is there.
const mostCells = 300_000

// drawable refuses a terminal that claims to be larger than anything that can be drawn.
func drawable(files []*os.File) error {
	for _, file := range files {
		width, height, err := term.GetSize(file.Fd())
		if err == nil && width*height > mostCells {
			return fmt.Errorf("the terminal claims %d × %d cells: make it smaller (stty cols 120 rows 40)", width, height)
		}
	}
	return nil
}

func closeAll(files []*os.File) {
	for _, file := range files {
		file.Close()
	}
}
