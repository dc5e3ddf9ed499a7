package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pawl/agent"
	"pawl/agent/sanitize"
	"pawl/internal/base"
	"pawl/internal/models"
	"pawl/internal/words"
)

// offered is one model as pawl models shows it. What is not known is 0 or null.
type offered struct {
	Model    string  `json:"model"`
	Context  int     `json:"context"` // tokens
	Output   int     `json:"output"`
	Free     bool    `json:"free"`
	Prices   *prices `json:"prices"`
	Long     *long   `json:"long_prices"`
	Images   *bool   `json:"images"`
	Thinking *bool   `json:"thinking"`
	InUse    bool    `json:"in_use"`
	Default  bool    `json:"default"` // what its provider's key opens where nobody names a model
}

// prices are US dollars for a million tokens.
type prices struct {
	Input      float64 `json:"input"`
	Cached     float64 `json:"cached"`
	CacheWrite float64 `json:"cache_write"`
	Output     float64 `json:"output"`
}

// long are the prices of a whole request with more input than this.
type long struct {
	Beyond int64 `json:"beyond"`
	prices
}

func offeredAs(model string, traits agent.Traits, inUse string) offered {
	o := offered{
		Model: model, Context: traits.Context, Output: traits.Output, Free: traits.Free,
		Images: plainly(traits.Images), Thinking: plainly(traits.Thinking), InUse: model == inUse,
	}
	for _, maker := range models.Makers() {
		o.Default = o.Default || model == maker.Name+"/"+maker.Fallback
	}
	if traits.Priced() && !traits.Free {
		p := prices{traits.Prices.Input, traits.Prices.Cached, traits.Prices.Written, traits.Prices.Output}
		o.Prices = &p
	}
	if traits.LongAt > 0 {
		o.Long = &long{traits.LongAt, prices{traits.Long.Input, traits.Long.Cached, traits.Long.Written, traits.Long.Output}}
	}
	return o
}

func plainly(a agent.Ability) *bool {
	if a == agent.Unknown {
		return nil
	}
	able := a == agent.Able
	return &able
}

// print writes one line a model, in columns that fit the terminal; where there is
// none, parted by tabs and under no heading. What else is to be said goes to
// standard error.
func (c catalog) print(w base.World, asked *modelsCommand) error {
	if c.asked == 0 {
		fmt.Fprintln(w.Err, "pawl: no server is asked; these are the models that Pawl knows: set "+alternatives(c.Unset)+" for those that it can use")
	}
	for _, f := range c.Failed {
		fmt.Fprintln(w.Err, "pawl: "+base.OneLine(string(sanitize.Line(f.explained()))))
	}
	if len(c.Models) == 0 {
		fmt.Fprintf(w.Err, "pawl: no model has %q in its name; pawl models lists them all\n", asked.Filter)
		return nil
	}
	table := [][]string{{"MODEL", "CONTEXT", "", "TAKES", "US$ A MILLION TOKENS"}}
	for _, model := range c.Models {
		table = append(table, model.row())
	}
	if err := writeTable(w.Out, table, lookOf(w).width); err != nil {
		return err
	}
	if c.hidden > 0 {
		fmt.Fprintf(w.Err, "pawl: %s without text output left out; --all lists all\n", words.Count(c.hidden, "model"))
	}
	return nil
}

// alternatives joins names of which one is enough.
func alternatives(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// row is a model's line. What matters least stands last: it is what a narrow
// terminal leaves out.
func (o offered) row() []string {
	var marks, takes []string
	if o.InUse {
		marks = append(marks, "in use")
	}
	if o.Default {
		marks = append(marks, "default")
	}
	if o.Images != nil && *o.Images {
		takes = append(takes, "images")
	}
	if o.Thinking != nil && *o.Thinking {
		takes = append(takes, "thinks")
	}
	return []string{string(sanitize.Line(o.Model)), amount(o.Context), strings.Join(marks, ", "), strings.Join(takes, ", "), o.price()}
}

// price is in words: an unknown one is no zero.
func (o offered) price() string {
	switch {
	case o.Free:
		return "free"
	case o.Prices == nil:
		return "price not known"
	}
	text := fmt.Sprintf("%s in, %s cached, %s out", dollars(o.Prices.Input), dollars(o.Prices.Cached), dollars(o.Prices.Output))
	if o.Long != nil {
		text += ", more beyond " + amount(int(o.Long.Beyond))
	}
	return text
}

// dollars writes a price with its cents, and with more where it has more.
func dollars(price float64) string {
	text := strconv.FormatFloat(price, 'f', -1, 64)
	if whole, part, found := strings.Cut(text, "."); found && len(part) == 1 {
		text = whole + "." + part + "0"
	}
	return "$" + text
}

// amount is a number of tokens in a few characters; empty where it is not known.
func amount(tokens int) string {
	switch {
	case tokens == 0:
		return ""
	case tokens < 1000:
		return strconv.Itoa(tokens)
	case tokens < 1_000_000:
		return strconv.Itoa((tokens+500)/1000) + "k"
	}
	return strconv.FormatFloat(float64((tokens+5000)/10_000)/100, 'f', -1, 64) + "M"
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
