package acp

import (
	"fmt"
	"strings"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// callsShown is how many of a subagent's calls its card lists, the newest ones.
const callsShown = 12

// cardPace is how often a card is sent again for progress that is in no record.
const cardPace = time.Second

// card is how an editor sees a subagent or a background command: on the call that started it,
// for as long as its run. The protocol has no calls inside calls, so the subagent's own are
// lines of the card.
type card struct {
	call  lifecycle.CallID
	run   lifecycle.RunID // the newest run of the card
	calls []callLine
	more  int // how many calls came before those
	dirty bool
	told  string
	state sdk.ToolCallStatus
	at    time.Time
}

// callLine is one call of a subagent.
type callLine struct {
	call lifecycle.CallID
	text string
	end  string // its status; empty if it was fine
}

// cards are the cards of a session, by their calls and by their runs.
type cards struct {
	root lifecycle.SessionID
	on   map[lifecycle.CallID]*card
	of   map[lifecycle.RunID]*card
	all  []*card
}

func newCards(root lifecycle.SessionID) cards {
	return cards{root: root, on: map[lifecycle.CallID]*card{}, of: map[lifecycle.RunID]*card{}}
}

// attach puts a run on its card. A run that a person started, without a call, gets a card of its
// own; runs started by subagents have none.
func (c *cards) attach(run lifecycle.Run) {
	if run.Parent != c.root || c.of[run.ID] != nil {
		return
	}
	call := run.Call
	if call == "" {
		call = lifecycle.CallID(run.ID)
	}
	one := c.on[call]
	if one == nil {
		one = &card{call: call}
		c.on[call] = one
		c.all = append(c.all, one)
	}
	one.run, one.calls, one.more = run.ID, nil, 0
	c.of[run.ID] = one
}

func (c *cards) holds(call lifecycle.CallID) bool { return c.on[call] != nil }

func (c *cards) touch(run lifecycle.Run) {
	if one := c.of[run.ID]; one != nil {
		one.dirty = true
	}
}

func (c *cards) did(run lifecycle.Run, e lifecycle.ToolStarted) {
	one := c.of[run.ID]
	if one == nil {
		return
	}
	one.calls = append(one.calls, callLine{call: e.Call, text: title(e.Tool, e.Label)})
	if len(one.calls) > callsShown {
		one.calls, one.more = one.calls[1:], one.more+1
	}
}

func (c *cards) ended(run lifecycle.Run, e lifecycle.ToolEnded) {
	one := c.of[run.ID]
	if one == nil || e.Status == lifecycle.ToolOK {
		return
	}
	for i := range one.calls {
		if one.calls[i].call == e.Call {
			one.calls[i].end = string(e.Status)
		}
	}
}

func (t *publisher) sendCards(all []lifecycle.Progress) {
	now := time.Now()
	news := map[lifecycle.RunID]lifecycle.Progress{}
	for _, p := range all {
		news[p.Run] = p
		if one := t.cards.of[p.Run]; one != nil && now.Sub(one.at) >= cardPace {
			one.dirty = true
		}
	}
	for _, one := range t.cards.all {
		if one.dirty {
			one.dirty = false
			t.sendCard(one, news[one.run], now)
		}
	}
}

func (t *publisher) sendCard(one *card, p lifecycle.Progress, now time.Time) {
	run := t.ledger.Run(one.run)
	text, state := one.text(run, p, now), cardStatus(run.State)
	if text == one.told && state == one.state {
		return
	}
	one.told, one.state, one.at = text, state, now
	content := []sdk.ToolCallContent{prose(text)}
	id := sdk.ToolCallId(one.call)
	if !t.calls[one.call] {
		t.calls[one.call], t.last = true, sortOther
		t.s.send(sdk.StartToolCall(id, string(sanitize.Line(run.Description)), sdk.WithStartKind(KindThink)))
	}
	update := sdk.UpdateToolCall(id, sdk.WithUpdateStatus(state), sdk.WithUpdateContent(content))
	update.ToolCallUpdate.Meta = map[string]any{"pawl": map[string]any{
		"agent_id": run.Session, "run_id": run.ID, "status": run.State, "background": run.Background,
	}}
	t.s.send(update)
}

// text is the content of the card: the state of the run, what it did and is doing, and its
// result.
func (c *card) text(run lifecycle.Run, p lifecycle.Progress, now time.Time) string {
	var b strings.Builder
	name := run.Type
	if run.Shell() {
		name = "command"
	}
	fmt.Fprintf(&b, "**%s** %s", sanitize.Line(name), sanitize.Line(run.Status().Words(lifecycle.ForPerson)))
	if run.State == lifecycle.StateRunning && run.Background {
		b.WriteString(" in the background")
	}
	if c.more > 0 {
		fmt.Fprintf(&b, "\n\n%d calls before these", c.more)
	}
	for i, d := range c.calls {
		if b.WriteByte('\n'); i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + quoted(d.text))
		if d.end != "" {
			b.WriteString(" · " + d.end)
		}
	}
	for _, r := range lifecycle.Refusals(run) {
		fmt.Fprintf(&b, "\n\ndenied (%d×) %s by %s: %s", r.Times, quoted(title(r.Tool, r.Subject)), r.By, sanitize.Line(r.Reason))
	}
	if !run.State.Terminal() {
		if doing := string(sanitize.Line(run.Activity(p, now))); doing != "" {
			b.WriteString("\n\n" + doing)
		}
		return b.String()
	}
	if out := run.Output(); run.Shell() {
		b.WriteString("\n\n" + fenced("console", "$ "+run.Command+"\n"+out))
	} else if out != "" {
		b.WriteString("\n\n" + out)
	}
	return b.String()
}

// quoted is a foreign line as Markdown code.
func quoted(text string) string {
	return "`" + strings.ReplaceAll(string(sanitize.Line(text)), "`", "'") + "`"
}

// cardStatus is the protocol's status for the state of a run.
func cardStatus(state lifecycle.State) sdk.ToolCallStatus {
	switch state {
	case lifecycle.StateQueued:
		return sdk.ToolCallStatusPending
	case lifecycle.StateRunning:
		return sdk.ToolCallStatusInProgress
	case lifecycle.StateCompleted:
		return sdk.ToolCallStatusCompleted
	case lifecycle.StateCompletedEmpty, lifecycle.StateFailed, lifecycle.StateCanceledByUser,
		lifecycle.StateCanceledByAgent, lifecycle.StateInterrupted:
	}
	return sdk.ToolCallStatusFailed
}
