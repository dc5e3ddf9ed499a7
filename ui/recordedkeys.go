package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/replay"
)

// recordedTable is the keys of a screen that shows a recording: those that read.
func recordedTable(plays bool) []group {
	own := recordedKeys()
	if plays {
		own = append(replayKeys(), own...)
	}
	return []group{
		{"The recording", own},
		{"Moving", reading(movingKeys())},
		{"On a subagent's line", append(cardReadingKeys(), reading(only(cardKeys(), "up", "down", "enter"))...)},
		{"The session", reading(slices.Concat(paletteKeys(), sessionKeys(), only(typedKeys(), readingCommands()...)))},
		{"Reading", reading(readingKeys())},
		{"Searching", reading(searchKeys())},
		{"The dashboard", reading(except("tab", dashboardKeys()))},
		{"Changes of files", changesReadingKeys()},
		{"A list", except("tab", pickerKeys())}, // there is no list of sessions
	}
}

// readingCommands are the typed commands that change nothing in a session.
func readingCommands() []string {
	return []string{"/agents …", "/changes", "/context", "/copy", "/cost", "/export …", "/help", "/split", "/theme …"}
}

// only keeps the bindings of some keys; of lines without keys, those that are shown so.
func only(list []binding, keys ...string) []binding {
	return slices.DeleteFunc(list, func(b binding) bool {
		return !slices.ContainsFunc(keys, func(key string) bool { return slices.Contains(b.keys, key) || string(b.show) == key })
	})
}

// except leaves the bindings of a key out.
func except(key string, list []binding) []binding {
	return slices.DeleteFunc(list, func(b binding) bool { return slices.Contains(b.keys, key) })
}

// reading gives the line that stands in the place of a composer what keys do on one, and
// words that speak of none.
func reading(list []binding) []binding {
	for i := range list {
		b := &list[i]
		if b.at&typing != 0 {
			b.at = b.at&^typing | atRecorded
		}
		if strings.HasPrefix(string(b.help), onEmpty) {
			b.help = b.help[len(onEmpty):]
		}
		if words, other := withoutComposer[b.help]; other {
			b.help = words
		}
	}
	return list
}

// onEmpty begins the help of keys that belong to what is typed, where anything is.
const onEmpty = "on an empty composer: "

// withoutComposer is the help of keys that lead to a composer, where there is none.
var withoutComposer = map[sanitize.Text]sanitize.Text{
	"from the composer into the conversation, block by block": "into the conversation, block by block",
	"previous or next block; past the newest: the composer":   "previous or next block; past the newest: back",
	"back to the composer": "back",
	"the same; in the composer it sets the cursor. Shift+drag selects text": "the same. Shift+drag selects text",
	"previous or next; past the last: the composer":                         "previous or next; past the last: back",
}

func recordedKeys() []binding {
	return []binding{
		{keys: []string{"down"}, at: atRecorded, do: (*model).downRecorded, show: "↓", help: "the subagents"},
		{keys: []string{"up"}, at: atRecorded, do: func(m *model) tea.Cmd { return m.scroll(-1) }},
		{keys: []string{"/"}, at: atRecorded, do: (*model).slash, help: "the commands: /cost, /agents, /export, /copy"},
		{keys: []string{"esc"}, at: atRecorded, do: (*model).escRecorded, show: "esc, q, ctrl+c", help: "quit; in a subagent's view esc goes back first"},
		{keys: []string{"q", "ctrl+c"}, at: atRecorded, do: (*model).quit},
	}
}

func cardReadingKeys() []binding {
	return []binding{
		{keys: []string{"esc", "ctrl+c"}, at: atCard, do: (*model).toComposer, show: "esc", help: "back"},
	}
}

// changesReadingKeys are those of the changes that neither write nor land anything.
func changesReadingKeys() []binding {
	acts := []string{"c", "d", "m", "space", "l", "b"}
	return slices.DeleteFunc(changesKeys(), func(b binding) bool {
		return b.at == atComment || slices.ContainsFunc(b.keys, func(key string) bool { return slices.Contains(acts, key) })
	})
}

// replayKeys are those of a recording that is played.
func replayKeys() []binding {
	order := func(o replay.Order) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.order(o) }
	}
	return []binding{
		{keys: []string{"space"}, at: atRecorded | atCard | atDashboard, do: order(replay.Turn), help: "pause or play; at the end: play again"},
		{keys: []string{"right", "."}, at: atRecorded, do: order(replay.Step), show: "→, .", help: "pause and show the next record"},
		{keys: []string{","}, at: atRecorded, do: order(replay.StepBack), help: "pause and undo the last record"},
		{keys: []string{"n"}, at: atRecorded, do: order(replay.NextEnd), show: "n, N", help: "to the next end of a run, or back to the one before"},
		{keys: []string{"N"}, at: atRecorded, do: order(replay.LastEnd)},
		{keys: []string{"+", ">", "="}, at: atRecorded, do: order(replay.Faster), show: "+, -", help: "faster, slower; > and < too"},
		{keys: []string{"-", "<"}, at: atRecorded, do: order(replay.Slower)},
		{keys: []string{"0", "home"}, at: atRecorded, do: order(replay.Start), show: "0, home", help: "from the beginning"},
		{keys: []string{"end"}, at: atRecorded, do: order(replay.End), help: "to the end"},
	}
}

func (m *model) order(o replay.Order) tea.Cmd {
	m.options.Recorded.Replay.Do(o)
	return nil
}

// downRecorded scrolls down where the view is held, and else goes to the cards.
func (m *model) downRecorded() tea.Cmd {
	lines := m.docked()
	if m.view().Held || len(lines) == 0 {
		return m.scroll(1)
	}
	m.card = lines[0].ID()
	return nil
}

// slash lists the commands, as a line that begins so does elsewhere.
func (m *model) slash() tea.Cmd { return tea.Batch(m.openPalette(), m.seek("/")) }

// escRecorded goes back to the parent, or leaves.
func (m *model) escRecorded() tea.Cmd {
	if m.open != m.runs.Root() {
		return m.back()
	}
	return m.quit()
}

// recordedHint is what the keys do, in as many words as the screen has room for.
func (m *model) recordedHint() sanitize.Text {
	if m.view().Held && m.width >= 60 {
		return m.heldHint()
	}
	back := sanitize.Text("q quit")
	if m.open != m.runs.Root() {
		back = "← back"
	}
	if m.options.Recorded.Replay == nil {
		return "? keys  " + back
	}
	turn := sanitize.Text("space pause")
	switch {
	case m.replay.Over():
		turn = "space play again"
	case m.replay.Paused:
		turn = "space play"
	}
	switch {
	case m.width < 60:
		return turn + "  ? keys"
	case m.width < 100:
		return turn + "  ? keys  " + back
	}
	return turn + "  . step  n next end  ? keys  " + back
}

// table is the keys of a screen with these options.
func (o Options) table() []group {
	if o.Recorded != nil {
		return recordedTable(o.Recorded.Replay != nil)
	}
	return table()
}
