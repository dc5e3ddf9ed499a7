package keys

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"pawl/agent/mask"
	"pawl/agent/sanitize"
	"pawl/internal/base"
)

// row is one provider. KeyFrom is empty where it has no key and needs one; then Do says how it
// gets one.
type row struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Address string `json:"address"` // as it is written, or in words
	KeyFrom string `json:"key_from"`
	Do      string `json:"do,omitempty"`
}

// list prints the providers, and where each has its key from, but no key. It asks no server and
// runs no program.
func list(w *base.World, asJSON bool) error {
	b, _, err := opened(w)
	if err != nil {
		return err
	}
	defer b.Close()
	rows := []row{}
	for _, p := range b.Models.Providers() {
		r := row{Name: p.Name, Kind: p.Kind, Address: b.Models.Place(p), KeyFrom: b.Models.KeyFrom(p)}
		if b.Models.Lacks(p) != "" {
			r.Do = p.ToDo()
		}
		rows = append(rows, r)
	}
	if asJSON {
		return b.Models.Hide().Encode(w.Out, struct {
			Providers []row `json:"providers"`
		}{rows})
	}
	return print(w, rows, b.Models.Hide())
}

func print(w *base.World, rows []row, hide mask.Mask) error {
	table := tabwriter.NewWriter(w.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "PROVIDER\tKIND\tADDRESS\tKEY")
	for _, r := range rows {
		key := r.KeyFrom
		if r.Do != "" {
			key = "none: " + r.Do
		}
		line := []string{r.Name, r.Kind, hide.Text(r.Address), hide.Text(key)}
		for i := range line {
			line[i] = string(sanitize.Line(line[i]))
		}
		fmt.Fprintln(table, strings.Join(line, "\t"))
	}
	return table.Flush()
}
