package cli

import (
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pawl/internal/base"
	"pawl/internal/models"
	"pawl/internal/words"
)

// printCatalog writes one line a model, in columns that fit the terminal; where there is
// none, parted by tabs and under no heading. What else is to be said goes to
// standard error.
func printCatalog(c models.Catalog, w base.World, filter string) error {
	if c.Asked == 0 {
		w.Tell("no server is asked; these are the models that Pawl knows: set %s for those that it can use, or run pawl login NAME", words.Alternatives(c.Unset))
	}
	for _, f := range c.Failed {
		w.Tell("%s", f.Explained())
	}
	if line := c.WithoutKeys(); c.Asked > 0 && line != "" {
		w.Tell("%s", line)
	}
	if len(c.Models) == 0 {
		w.Tell("no model has %q in its name; pawl models lists them all", filter)
		return nil
	}
	table := [][]string{{"MODEL", "CONTEXT", "", "TAKES", "US$ A MILLION TOKENS"}}
	for _, model := range c.Models {
		table = append(table, model.Cells())
	}
	if err := writeTable(w.Out, table, base.LookOf(w).Width); err != nil {
		return err
	}
	if c.Hidden > 0 {
		w.Tell("%s without text output left out; --all lists all", words.Count(c.Hidden, "model"))
	}
	return nil
}

// writeTable writes rows under their heading, as many columns as the width has room
// for, the first whatever its width. Without a width the rows are parted by tabs.
func writeTable(out io.Writer, rows [][]string, width int) error {
	var b strings.Builder
	if width == 0 {
		for _, row := range rows[1:] {
			b.WriteString(strings.TrimRight(strings.Join(row, "\t"), "\t") + "\n")
		}
		_, err := io.WriteString(out, b.String())
		return err
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], ansi.StringWidth(cell))
		}
	}
	shown, total := 0, 0
	for i, column := range widths {
		if total += column + 2; i > 0 && total-2 > width {
			break
		}
		shown++
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row[:shown] {
			line += cell + strings.Repeat(" ", widths[i]-ansi.StringWidth(cell)+2)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}
