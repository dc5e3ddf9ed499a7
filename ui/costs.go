package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/transcript"
	"pawl/ui/wording"
)

// bill is what the runs of one session cost.
type bill struct {
	session lifecycle.SessionID
	name    sanitize.Text
	model   string // of the newest run
	usage   lifecycle.Usage
	took    time.Duration
	bare    bool // some of it has no known price
}

// bills are those of the parent and of each subagent, as first spawned, and their sum.
func (m *model) bills() (all []bill, sum bill) {
	at := map[lifecycle.SessionID]int{}
	for run := range m.runs.Runs() {
		if run.Shell() {
			continue
		}
		i, known := at[run.Session]
		if !known {
			i = len(all)
			at[run.Session] = i
			all = append(all, bill{session: run.Session, name: "main agent"})
			if run.Subagent() {
				all[i].name = wording.Name(run)
			}
		}
		b := &all[i]
		b.model, b.usage = run.Model, b.usage.Add(run.Usage)
		b.took += run.Elapsed(m.clock.Read())
		priced := m.options.Commands.Priced
		b.bare = b.bare || run.Usage.Tokens() > 0 && run.Usage.Cost == 0 && priced != nil && !priced(run.Model)
	}
	for _, b := range all {
		sum.usage = sum.usage.Add(b.usage)
		sum.bare = sum.bare || b.bare
	}
	return all, sum
}

// costTyped shows what the session has cost so far, a session a line.
func (m *model) costTyped(string) tea.Cmd {
	all, sum := m.bills()
	p := &picker{
		Title: draw.Sprintf("Cost: %s", sum.price()), Empty: "no requests yet",
		Heads: []sanitize.Text{"session", "cost", "model", "in", "cached", "out", "time"},
	}
	if sum.bare {
		p.Aside = "models without a known price are not in the total: set one under [models] in config.toml"
	}
	for _, b := range all {
		p.Rows = append(p.Rows, entry{
			Name: b.name, On: b.session == m.open,
			More: []sanitize.Text{
				b.price(), sanitize.Line(b.model), transcript.Approximately(b.usage) + draw.Tokens(b.usage.InputTokens), draw.Tokens(b.usage.CachedTokens), transcript.Approximately(b.usage) + draw.Tokens(b.usage.OutputTokens), draw.Sprintf("%s", words.Duration(b.took)),
			},
			Do: func(m *model) tea.Cmd { return m.show(b.session) },
		})
	}
	return m.offer(p)
}

// price is in words: an unknown one is no zero.
func (b bill) price() sanitize.Text {
	cost := draw.Dollars(b.usage.Cost)
	if cost != "" {
		cost = transcript.Approximately(b.usage) + cost
	}
	switch {
	case b.bare && cost == "":
		return "not known"
	case b.bare:
		return cost + " and more"
	case cost == "":
		return "nothing"
	}
	return cost
}
