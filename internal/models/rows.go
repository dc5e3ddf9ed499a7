package models

import (
	"fmt"
	"strconv"
	"strings"

	"pawl/agent"
	"pawl/agent/sanitize"
)

// Row is one model as pawl models prints it. Unknown values are 0 or null.
type Row struct {
	Model    string   `json:"model"`
	Provider string   `json:"provider"`
	Context  int      `json:"context"` // tokens
	Output   int      `json:"output"`
	Free     bool     `json:"free"`
	Prices   *prices  `json:"prices"`
	Long     *long    `json:"long_prices"`
	Images   *bool    `json:"images"`
	Thinking *bool    `json:"thinking"`
	Efforts  []string `json:"efforts"` // the least first
	InUse    bool     `json:"in_use"`
	Default  bool     `json:"default"` // the model of this provider if nobody names one
}

// prices are in US dollars per million tokens.
type prices struct {
	Input      float64 `json:"input"`
	Cached     float64 `json:"cached"`
	CacheWrite float64 `json:"cache_write"`
	Output     float64 `json:"output"`
}

// long are the prices of a whole request with more than Beyond input tokens.
type long struct {
	Beyond int64 `json:"beyond"`
	prices
}

// NewRow makes the row of a model; inUse names the model in use.
func (m *Set) NewRow(model string, traits agent.ModelInfo, inUse string) Row {
	provider, _ := agent.SplitModel(model)
	o := Row{
		Model: model, Provider: provider, Context: traits.Context, Output: traits.Output, Free: traits.Free,
		Images: plainly(traits.Images), Thinking: plainly(traits.Thinking), Efforts: traits.Efforts, InUse: model == inUse,
	}
	if p, ok := m.Provider(provider); ok && p.Fallback != "" {
		o.Default = model == p.Name+"/"+p.Fallback
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

// Cells returns the columns of a model, the least important last: a narrow terminal leaves that
// out.
func (o Row) Cells() []string {
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
	return []string{string(sanitize.Line(o.Model)), TokenCount(o.Context), strings.Join(marks, ", "), strings.Join(takes, ", "), o.Price()}
}

// Price describes the price; an unknown price is not zero.
func (o Row) Price() string {
	switch {
	case o.Free:
		return "free"
	case o.Prices == nil:
		return "price not known"
	}
	text := fmt.Sprintf("%s in, %s cached, %s out", Dollars(o.Prices.Input), Dollars(o.Prices.Cached), Dollars(o.Prices.Output))
	if o.Long != nil {
		text += ", more beyond " + TokenCount(int(o.Long.Beyond))
	}
	return text
}

// Dollars writes a price with two decimals, or more if it has more.
func Dollars(price float64) string {
	text := strconv.FormatFloat(price, 'f', -1, 64)
	if whole, part, found := strings.Cut(text, "."); found && len(part) == 1 {
		text = whole + "." + part + "0"
	}
	return "$" + text
}

// TokenCount writes a number of tokens in a few characters; empty for 0, which means unknown.
func TokenCount(tokens int) string {
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
