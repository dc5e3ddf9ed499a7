package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/contents"
	"pawl/ui/draw"
	"pawl/ui/transcript"
	"pawl/ui/wording"
)

// agentsTyped lists the subagents of the session, to jump to, and the types that
// there are.
func (m *model) agentsTyped(words string) tea.Cmd {
	p := &picker{Title: "Agents", Words: words, Empty: "no types"}
	for _, session := range m.runs.Sessions {
		run := m.runs.Latest(session)
		p.Rows = append(p.Rows, entry{
			Name: wording.Name(run), On: m.open == session, Sought: sanitize.Line(run.Type),
			More:    []sanitize.Text{m.glyphs.State(run.State, 0) + " " + wording.State(run.State) + m.runs.DeniedWords(session), sanitize.Line(run.Type)},
			Preview: []sanitize.Text{sanitize.Clean(run.Prompt), sanitize.Clean(run.Output())},
			Do:      func(m *model) tea.Cmd { return m.show(session) },
		})
	}
	cmd := m.offer(p)
	if m.options.Commands.Types == nil {
		return cmd
	}
	ctx, read := m.ctx, m.options.Commands.Types
	return tea.Batch(cmd, func() tea.Msg {
		types, problems := read(ctx)
		return loaded{p, func(m *model) tea.Cmd {
			if len(problems) > 0 {
				p.Aside = sanitize.Line(problems[0])
			}
			p.Refill(append(p.Rows, typeRows(types)...))
			return nil
		}}
	})
}

// typeRows are the types; one that is chosen begins a message.
func typeRows(types []Type) []entry {
	var rows []entry
	for _, t := range types {
		rows = append(rows, entry{
			Name: sanitize.Line(t.Name), Sought: sanitize.Line(t.Description),
			More:    []sanitize.Text{"type", sanitize.Line(t.Source), sanitize.Line(t.Description)},
			Preview: []sanitize.Text{sanitize.Clean(t.Description), draw.Sprintf("tools: %s", t.Tools), draw.Sprintf("model: %s", t.Model), draw.Sprintf("from %s", t.Source)},
			Do:      func(m *model) tea.Cmd { return m.useType(t.Name) },
		})
	}
	return rows
}

// useType begins a message to the parent about a type, in front of what is typed.
func (m *model) useType(name string) tea.Cmd {
	cmd := m.show(m.runs.Root())
	line := m.line()
	line.At = 0
	line.Insert("Use the " + string(sanitize.Line(name)) + " subagent to ")
	return tea.Batch(cmd, m.edited())
}

// bill is what the runs of one session cost.
type bill struct {
	session  lifecycle.SessionID
	name     sanitize.Text
	model    sanitize.Text // of the newest run, with its effort and who works in its place
	usage    lifecycle.Usage
	took     time.Duration
	unpriced bool // some of it has no known price
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
		b.model, b.usage = modelOf(run), b.usage.Add(run.Usage)
		b.took += run.Elapsed(m.clock.Read())
		priced := m.options.Commands.Priced
		b.unpriced = b.unpriced || run.Usage.Tokens() > 0 && run.Usage.Cost == 0 && priced != nil && !priced(run.Model)
	}
	for _, b := range all {
		sum.usage = sum.usage.Add(b.usage)
		sum.unpriced = sum.unpriced || b.unpriced
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
	if sum.unpriced {
		p.Aside = "models without a known price are not in the total: set one under [models] in config.toml"
	}
	for _, b := range all {
		p.Rows = append(p.Rows, entry{
			Name: b.name, On: b.session == m.open,
			More: []sanitize.Text{
				b.price(), b.model, transcript.Approximately(b.usage) + draw.Tokens(b.usage.InputTokens), draw.Tokens(b.usage.CachedTokens), transcript.Approximately(b.usage) + draw.Tokens(b.usage.OutputTokens), draw.Sprintf("%s", words.Duration(b.took)),
			},
			Do: func(m *model) tea.Cmd { return m.show(b.session) },
		})
	}
	return m.offer(p)
}

// modelOf is what a run works with.
func modelOf(run lifecycle.Run) sanitize.Text {
	words := sanitize.Line(run.Model)
	if level := run.EffortShown(); level != "" {
		words += " " + sanitize.Line(level)
	}
	if run.Fallback != "" {
		words += draw.Sprintf(", by %s", sanitize.Line(run.Fallback))
	}
	return words
}

// price is in words: an unknown one is no zero.
func (b bill) price() sanitize.Text {
	cost := draw.Dollars(b.usage.Cost)
	if cost != "" {
		cost = transcript.Approximately(b.usage) + cost
	}
	switch {
	case b.unpriced && cost == "":
		return "not known"
	case b.unpriced:
		return cost + " and more"
	case cost == "":
		return "nothing"
	}
	return cost
}

// contextTyped shows what fills the context of the session that is open.
func (m *model) contextTyped(string) tea.Cmd {
	read := m.options.Commands.Context
	if read == nil {
		return m.unavailable("show the context of")
	}
	p := &picker{Title: "Context", Heads: contents.Heads(), Empty: "reading…"}
	ctx, session, counted := m.ctx, m.open, m.talk(m.open).Full
	return tea.Batch(m.offer(p), func() tea.Msg {
		found, err := read(ctx, session)
		return loaded{p, func(m *model) tea.Cmd {
			if err != nil {
				p.Empty = sanitize.Line(err.Error())
				return nil
			}
			contents.Fill(p, found, counted)
			return nil
		}}
	})
}

// mcpTyped lists the MCP servers: which are up, what they offer, what is wrong.
func (m *model) mcpTyped(string) tea.Cmd {
	if m.options.Commands.Servers == nil {
		return m.unavailable("list")
	}
	p := &picker{Title: "MCP servers", Empty: "none: add them under [mcp.NAME] in config.toml, or in .mcp.json in the folder"}
	for _, s := range m.options.Commands.Servers() {
		row := entry{
			Name: sanitize.Line(s.Name),
			More: []sanitize.Text{sanitize.Line(s.State), sanitize.Line(words.Count(s.Tools, "tool")), sanitize.Line(s.From)},
		}
		if s.Prompts+s.Resources > 0 {
			row.More = slices.Insert(row.More, 2, sanitize.Line(words.Count(s.Prompts, "prompt")), sanitize.Line(words.Count(s.Resources, "resource")))
		}
		if s.Down {
			row.Tone = draw.Failure
		}
		for _, line := range []string{s.Why, lastSaid(s.Said), s.Do} {
			if line != "" {
				row.Preview = append(row.Preview, sanitize.Line(line))
			}
		}
		p.Rows = append(p.Rows, row)
	}
	return m.offer(p)
}

func lastSaid(last string) string {
	if last == "" {
		return ""
	}
	return "its last output: " + last
}
