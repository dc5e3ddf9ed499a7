package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// What was allowed beyond its call is in force until it is revoked. The screen reads it
// anew whenever it may have changed; the status line says it, and /permissions has it
// all, with the way to take it back.

// readGrants reads what is in force.
func (m *model) readGrants() tea.Cmd {
	read := m.options.Grants
	if read == nil {
		return nil
	}
	return safely(func() tea.Msg {
		now := read()
		return arrived{nil, func(m *model) tea.Cmd {
			m.grants = now
			return nil
		}}
	})
}

// regrant reads the grants again where some records may have changed them.
func (m *model) regrant(records []lifecycle.Record) tea.Cmd {
	changes := slices.ContainsFunc(records, func(rec lifecycle.Record) bool {
		switch e := rec.Event.(type) {
		case lifecycle.PermissionGranted:
			return e.By == "person"
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
	who := m.runs.Latest(g.Session).Description
	if g.All {
		return wording.Reach(g.Tool, who, g.Run != "")
	}
	words := deedWords([]lifecycle.Deed{{Tool: g.Tool, Subject: g.Subject}})
	if who != "" {
		words += draw.Sprintf(" of %q", who)
	}
	return words + " until you quit"
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
		return draw.Sprintf("all %s allowed", callsOf(wide[0].Tool)), draw.Sprintf("all %s allowed", sanitize.Line(wide[0].Tool))
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
	return safely(func() tea.Msg {
		err := m.options.Revoke(ctx, g)
		return arrived{nil, func(m *model) tea.Cmd {
			if err != nil {
				m.say(draw.Failure, sanitize.Line(err.Error()))
			} else {
				m.say(draw.Quiet, draw.Sprintf("revoked; Pawl asks again: %s", words))
			}
			return m.readGrants()
		}}
	})
}
