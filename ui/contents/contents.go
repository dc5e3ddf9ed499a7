package contents

import (
	"pawl/agent"
	"pawl/agent/sanitize"
	"pawl/ui/draw"
	"pawl/ui/list"
)

// Heads are the headings of the rows.
func Heads() []sanitize.Text { return []sanitize.Text{"part", "tokens", "share", "from"} }

// previewed is how much of a text is shown below the rows, in bytes.
const previewed = 2_000

// Fill shows the parts in a picker. counted is what the provider counted for the newest request with
// its answer; 0: it did not.
func Fill[M any](p *list.Picker[M], c agent.Context, counted int64) {
	parts := c.Parts
	if c.Unknown != "" {
		parts = append([]agent.ContextPart{unknown(c, counted)}, parts...)
	}
	sum := counted
	if sum == 0 {
		sum = estimated(parts)
	}
	p.Title = title(sum, c.Limit, counted > 0)
	if p.Aside = "sizes of parts are estimates, at four bytes a token"; counted > 0 {
		p.Aside += draw.Sprintf("; together they are some %s, the provider counted %s", draw.Tokens(estimated(parts)), draw.Tokens(counted))
	}
	of := c.Limit // a share is one of what the model takes; where that is not known, of the estimates
	if of == 0 {
		of = estimated(parts)
	}
	var rows []list.Entry[M]
	for _, part := range parts {
		rows = append(rows, row[M](part, of))
	}
	if c.Limit > 0 {
		free := max(0, c.Limit-sum)
		rows = append(rows, list.Entry[M]{Name: "free", More: []sanitize.Text{draw.Tokens(free), share(free, of), draw.Sprintf("%s takes %s", sanitize.Line(c.Model), draw.Tokens(c.Limit))}})
	}
	p.Refill(rows)
}

func estimated(parts []agent.ContextPart) (sum int64) {
	for _, part := range parts {
		sum += part.Tokens
	}
	return sum
}

// unknown stands for the prompt and the tools where they are not known: they take what is left of
// what the provider counted.
func unknown(c agent.Context, counted int64) agent.ContextPart {
	return agent.ContextPart{Kind: agent.PartBase, Name: "prompt and tools", Source: c.Unknown, Tokens: max(0, counted-estimated(c.Parts))}
}

func title(sum, limit int64, counted bool) sanitize.Text {
	about := sanitize.Text("about ")
	if counted {
		about = ""
	}
	if limit == 0 {
		return draw.Sprintf("Context: %s%s tokens", about, draw.Tokens(sum))
	}
	return draw.Sprintf("Context: %s%s of %s tokens, %s", about, draw.Tokens(sum), draw.Tokens(limit), share(sum, limit))
}

func share(part, of int64) sanitize.Text {
	switch {
	case of == 0 || part == 0:
		return ""
	case 100*part < of:
		return "<1 %"
	}
	return draw.Sprintf("%d %%", min(100, 100*part/of))
}

func row[M any](part agent.ContextPart, of int64) list.Entry[M] {
	e := list.Entry[M]{Name: sanitize.Line(part.Name), Sought: sanitize.Line(part.Source)}
	from := sanitize.Line(part.Source)
	if part.Note != "" {
		from = draw.Sprintf("%s: %s", from, sanitize.Line(part.Note))
		e.Preview = append(e.Preview, sanitize.Line(part.Note))
		if part.Tokens == 0 {
			e.Tone = draw.Failure
		}
	}
	e.More = []sanitize.Text{draw.Tokens(part.Tokens), share(part.Tokens, of), from}
	if part.Text != "" {
		e.Preview = append(e.Preview, sanitize.Clean(part.Text[:min(len(part.Text), previewed)]))
	}
	return e
}
