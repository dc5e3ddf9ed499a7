package ui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/approval"
	"pawl/ui/draw"
)

// permissionsTyped shows the mode and the rules in force, and takes another mode.
func (m *model) permissionsTyped(mode string) tea.Cmd {
	if m.options.Commands.SetMode == nil {
		return m.unavailable("set permissions with")
	}
	if mode != "" {
		return m.enterMode(mode)
	}
	p := &picker{Title: "Permissions", Empty: "no modes"}
	for _, one := range m.options.Commands.Modes {
		p.Rows = append(p.Rows, entry{
			Name: sanitize.Line(one.Name), On: one.Name == m.options.Mode, More: []sanitize.Text{sanitize.Line(one.Means)},
			Do: func(m *model) tea.Cmd { return m.enterMode(one.Name) },
		})
	}
	return tea.Batch(m.offer(p), m.listRules(p))
}

func (m *model) modeNames() []string {
	var names []string
	for _, mode := range m.options.Commands.Modes {
		names = append(names, mode.Name)
	}
	return names
}

// listRules adds what was granted, and the rules, to the modes of a list.
func (m *model) listRules(p *picker) tea.Cmd {
	read, granted := m.options.Permissions, m.options.Grants
	if read == nil {
		return nil
	}
	return func() tea.Msg {
		rules := read()
		var grants []lifecycle.StandingGrant
		if granted != nil {
			grants = granted()
		}
		return loaded{p, func(m *model) tea.Cmd {
			m.grants = grants
			p.Refill(slices.Concat(p.Rows, m.grantRows(grants), ruleRows(rules)))
			return nil
		}}
	}
}

// ruleRows are the rules; one that is chosen can be taken back, where that is a
// matter of an answer and not of a file of the user's own.
func ruleRows(rules []approval.Rule) []entry {
	var rows []entry
	for _, r := range rules {
		row := entry{Name: sanitize.Line(r.Text), More: []sanitize.Text{sanitize.Line(cmp.Or(r.Says, r.Source))}}
		row.Do = func(m *model) tea.Cmd {
			m.say(draw.Quiet, r.Where())
			return nil
		}
		if r.Forget != nil {
			row.Do = func(m *model) tea.Cmd { return m.askForget(r) }
		}
		rows = append(rows, row)
	}
	return rows
}

// askForget asks whether a rule is to be taken back.
func (m *model) askForget(r approval.Rule) tea.Cmd {
	ctx := m.ctx
	yes := sanitize.Text("yes, from now on")
	if r.Later {
		yes = "yes, from the next start"
	}
	m.dialog = &dialog{
		Whole: true,
		Title: draw.Sprintf("Revoke %s?", r.Text),
		Body:  []sanitize.Text{r.Where() + "."},
		Choices: []choice{
			{Key: "y", Label: yes, Do: func(*model) tea.Cmd {
				return func() tea.Msg {
					err := r.Forget(ctx)
					return loaded{nil, func(m *model) tea.Cmd { return m.forgotten(r, err) }}
				}
			}},
			{Key: "esc", Label: "no", Do: nil},
		},
		At: 1,
	}
	return nil
}

func (m *model) forgotten(r approval.Rule, err error) tea.Cmd {
	if err != nil {
		m.say(draw.Failure, draw.Sprintf("%s is still in force: %s", r.Text, sanitize.Line(err.Error())))
		return nil
	}
	if r.Later {
		m.say(draw.Quiet, draw.Sprintf("%s is revoked: the next start asks again", r.Text))
		return nil
	}
	m.say(draw.Quiet, draw.Sprintf("%s is revoked", r.Text))
	return nil
}

// enterMode makes the coming calls follow a mode. The one that asks nothing asks
// itself first.
func (m *model) enterMode(name string) tea.Cmd {
	names := m.modeNames()
	switch {
	case !slices.Contains(names, name):
		m.say(draw.Failure, draw.Sprintf("%s is not a permission mode%s", name, m.didYouMean(name, names)))
		return nil
	case name != bypassMode || m.options.Mode == name:
		return m.setMode(name)
	}
	m.dialog = &dialog{
		Whole: true,
		Title: "Allow every call without asking?",
		Body:  []sanitize.Text{"Deny and ask rules still apply, and Pawl asks before its own and git's files are changed.", "Everything else runs: commands, file changes, network requests."},
		Choices: []choice{
			{Key: "y", Label: "yes, in this session", Do: func(m *model) tea.Cmd { return m.setMode(name) }},
			{Key: "esc", Label: "no", Do: nil},
		},
		At: 1,
	}
	return nil
}

func (m *model) setMode(name string) tea.Cmd {
	if err := m.options.Commands.SetMode(name); err != nil {
		m.say(draw.Failure, sanitize.Line(err.Error()))
		return nil
	}
	m.useMode(name)
	m.remark(draw.Sprintf("permission mode: %s", name))
	return nil
}

// useMode follows a mode that was set here, and tells the other screens.
func (m *model) useMode(name string) {
	m.options.Mode = name
	m.seat.Tell("mode", modeElsewhere(name))
}

// bypassMode is the permission mode that asks nothing.
const bypassMode = "bypass"

// modeKeys walk the permission modes.
func modeKeys() []binding {
	return []binding{
		{keys: []string{"shift+tab"}, at: working, do: (*model).nextMode, help: "the next permission mode; /permissions has all"},
	}
}

// nextMode enters the next permission mode. The one that asks nothing is not on the way:
// no key pressed once too often may lead there.
func (m *model) nextMode() tea.Cmd {
	if m.options.Commands.SetMode == nil {
		return m.unavailable("set permissions with")
	}
	modes := slices.DeleteFunc(slices.Clone(m.options.Commands.Modes), func(mode Mode) bool { return mode.Name == bypassMode })
	if len(modes) == 0 {
		return m.unavailable("set permissions with")
	}
	at := slices.IndexFunc(modes, func(mode Mode) bool { return mode.Name == m.options.Mode })
	next := modes[(at+1)%len(modes)]
	if err := m.options.Commands.SetMode(next.Name); err != nil {
		m.say(draw.Failure, sanitize.Line(err.Error()))
		return nil
	}
	m.useMode(next.Name)
	m.say(draw.Quiet, draw.Sprintf("permission mode %s: %s", next.Name, sanitize.Line(next.Means)))
	return nil
}

// What was allowed beyond its call is in force until it is revoked. The screen reads it
// anew whenever it may have changed; the status line says it, and /permissions has it
// all, with the way to take it back.

// readGrants reads what is in force.
func (m *model) readGrants() tea.Cmd {
	read := m.options.Grants
	if read == nil {
		return nil
	}
	return func() tea.Msg {
		now := read()
		return loaded{nil, func(m *model) tea.Cmd {
			m.grants = now
			return nil
		}}
	}
}

// regrant reads the grants again where some records may have changed them.
func (m *model) regrant(records []lifecycle.Record) tea.Cmd {
	changes := slices.ContainsFunc(records, func(rec lifecycle.Record) bool {
		switch e := rec.Event.(type) {
		case lifecycle.PermissionGranted:
			return e.By == lifecycle.DeciderPerson
		case lifecycle.Ended:
			return len(m.grants) > 0
		default: // nothing else changes them
			return false
		}
	})
	if !changes {
		return nil
	}
	return m.readGrants()
}

// grantWords say what a grant covers.
func (m *model) grantWords(g lifecycle.StandingGrant) sanitize.Text {
	return approval.Standing(g, m.runs.Latest(g.Session).Description)
}

// grantStatus is the status line's word on what is allowed beyond its call, and the same
// where there is little room.
func (m *model) grantStatus() (long, short sanitize.Text) {
	var wide []lifecycle.StandingGrant
	for _, g := range m.grants {
		if g.All {
			wide = append(wide, g)
		}
	}
	switch n := len(wide); n {
	case 0:
		return "", ""
	case 1:
		return draw.Sprintf("all %s allowed", approval.Calls(wide[0].Tool)), draw.Sprintf("all %s allowed", sanitize.Line(wide[0].Tool))
	default:
		words := draw.Sprintf("%d wide grants", n)
		return words, words
	}
}

// grantRows list what is in force, each with the way to revoke it.
func (m *model) grantRows(grants []lifecycle.StandingGrant) []entry {
	var rows []entry
	for _, g := range grants {
		rows = append(rows, entry{
			Name: "allow " + m.grantWords(g), More: []sanitize.Text{"your answer; enter revokes it"},
			Do: func(m *model) tea.Cmd { return m.revoke(g) },
		})
	}
	return rows
}

// revoke takes a grant back, at once: that allows nothing.
func (m *model) revoke(g lifecycle.StandingGrant) tea.Cmd {
	words, ctx := m.grantWords(g), m.ctx
	return func() tea.Msg {
		err := m.options.Revoke(ctx, g)
		return loaded{nil, func(m *model) tea.Cmd {
			if err != nil {
				m.say(draw.Failure, sanitize.Line(err.Error()))
			} else {
				m.say(draw.Quiet, draw.Sprintf("revoked; Pawl asks again: %s", words))
			}
			m.seat.Tell("grants", func(*model) {}) // they draw what is left
			return m.readGrants()
		}}
	}
}
