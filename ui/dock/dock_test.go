package dock

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/transcript"
)

func card(name string, state lifecycle.State) transcript.Card {
	run := lifecycle.Run{ID: lifecycle.RunID("run " + name), Session: lifecycle.SessionID(name), State: state}
	run.Parent, run.Description, run.Background, run.Trigger = "root", name, true, lifecycle.TriggerAgent
	return transcript.Card{Run: run}
}

func canvas(width int) draw.Canvas {
	return draw.Canvas{Glyphs: draw.NewGlyphs(false), Width: width, Now: time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)}
}

func names(lines []Line) []lifecycle.SessionID {
	var ids []lifecycle.SessionID
	for _, line := range lines {
		ids = append(ids, line.ID())
	}
	return ids
}

func TestTwoEndsThatWentWellFoldAndOneDoesNot(t *testing.T) {
	one, two := card("one", lifecycle.StateCompleted), card("two", lifecycle.StateCompleted)
	works := card("works", lifecycle.StateRunning)
	require.Equal(t, []lifecycle.SessionID{"works", "one"}, names(Order([]transcript.Card{one, works}, "", false)))
	all := []transcript.Card{one, works, two}
	require.Equal(t, []lifecycle.SessionID{"works", Ends}, names(Order(all, "", false)))
	require.Equal(t, []lifecycle.SessionID{"works", Ends, "one", "two"}, names(Order(all, "", true)))
	require.Equal(t, []lifecycle.SessionID{"works", "one", "two"}, names(Order(all, "one", false)), "what has the focus keeps its line")
}

func TestWhatHasNoRoomIsCounted(t *testing.T) {
	var cards []transcript.Card
	for i := range 6 {
		cards = append(cards, card(fmt.Sprint("works ", i), lifecycle.StateRunning))
	}
	for i := range 3 {
		cards = append(cards, card(fmt.Sprint("ended ", i), lifecycle.StateCompleted))
	}
	for most, want := range map[int]string{2: "  +8 more", 4: "  +6 more", 6: "  +4 more"} {
		drawn, rows := (&Dock{}).Render(canvas(80), View{Lines: Order(cards, "", false), Most: most})
		require.Len(t, drawn, most)
		require.Len(t, rows, most)
		require.Equal(t, draw.Styled(want), drawn[most-1])
	}
	drawn, _ := (&Dock{}).Render(canvas(80), View{Lines: Order(cards, "", false), Most: 7})
	require.Contains(t, drawn[6], "3 completed")
}

func TestARowThatBecomesEmptyStaysUntilSomethingElseMoves(t *testing.T) {
	d := &Dock{}
	two := Order([]transcript.Card{card("one", lifecycle.StateRunning), card("two", lifecycle.StateRunning)}, "", false)
	d.Render(canvas(80), View{Lines: two, Most: 5})
	drawn, rows := d.Render(canvas(80), View{Lines: two[:1], Most: 5})
	require.Equal(t, []lifecycle.SessionID{"one", ""}, rows)
	require.Empty(t, drawn[1])
	d.Free = true
	drawn, _ = d.Render(canvas(80), View{Lines: two[:1], Most: 5})
	require.Len(t, drawn, 1)
	d.Render(canvas(80), View{Lines: two, Most: 5})
	drawn, _ = d.Render(canvas(80), View{Lines: two[:1], Most: 5, Low: true})
	require.Len(t, drawn, 1, "a low screen has no room for it")
}

func TestTheSumsLeaveOutWhatMattersLeast(t *testing.T) {
	s := Sums{Subagents: 12, Work: 3, Ask: 1, Wait: 1, Look: 2, Tokens: 41_000, Cost: 0.12, Occupied: 2, Slots: 5}
	for width, want := range map[int]draw.Styled{
		200: "12 subagents · 3 work · 1 asks · 1 waits for a slot · 2 need a look · 41k tok · $0.12 · 2 of 5 slots",
		90:  "12 subagents · 3 work · 1 asks · 1 waits for a slot · 2 need a look · 41k tok · $0.12",
		60:  "12 subagents · 3 work · 1 asks · 2 need a look",
		24:  "1 asks · 2 need a look",
		10:  "1 asks",
		3:   "",
	} {
		require.Equal(t, want, s.Words(canvas(width), width))
	}
	require.Empty(t, Sums{Slots: 5}.Words(canvas(80), 80), "nothing to sum up")
}
