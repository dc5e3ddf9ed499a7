package acp

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"pawl/agent"
	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// The answers that an editor offers: how far a yes goes, or no.
const (
	optionOnce    = sdk.PermissionOptionId(lifecycle.GrantOnce)
	optionRun     = sdk.PermissionOptionId(lifecycle.GrantRun)
	optionSession = sdk.PermissionOptionId(lifecycle.GrantSession)
	optionAlways  = sdk.PermissionOptionId(lifecycle.GrantAlways)
	optionNo      = sdk.PermissionOptionId("no")
)

// questions are the questions that the editor is asked, each by a goroutine that waits for the
// answer. Only the publisher's goroutine uses the fields.
type questions struct {
	s    *session
	ctx  context.Context // set before the first record
	open map[lifecycle.QuestionID]asked
	told map[sdk.ToolCallId]bool // calls of subagents that were sent in order to ask about them
}

// asked is a question that the editor has been asked.
type asked struct {
	lifecycle.Question
	call   sdk.ToolCallId
	cancel context.CancelFunc
}

func newQuestions(s *session) questions {
	return questions{s: s, open: map[lifecycle.QuestionID]asked{}, told: map[sdk.ToolCallId]bool{}}
}

// ask asks new questions and withdraws answered ones, whoever answered.
func (q *questions) ask(t *publisher) {
	waits := map[lifecycle.QuestionID]bool{}
	var fresh []lifecycle.Question
	for _, one := range t.ledger.Questions() {
		waits[one.ID] = true
		if _, is := q.open[one.ID]; !is {
			fresh = append(fresh, one)
		}
	}
	for id, one := range q.open {
		if !waits[id] {
			q.settled(t, one)
		}
	}
	slices.SortFunc(fresh, func(a, b lifecycle.Question) int { return strings.Compare(string(a.ID), string(b.ID)) })
	for _, one := range fresh {
		q.put(t, one)
	}
}

// put asks a question. A subagent's call is sent first: so far it is only a line of its card.
func (q *questions) put(t *publisher, one lifecycle.Question) {
	id := q.callOf(one.Session, one.Call)
	name := title(one.Tool, one.Subject)
	if one.Who != "" {
		name = string(sanitize.Line(one.Who)) + " · " + name
	}
	kind, content := q.s.kind(one.Tool), q.s.requestDetails(one)
	if one.Session != q.s.Snapshot.Root && !q.told[id] {
		q.told[id], t.last = true, sortOther
		q.s.send(sdk.StartToolCall(id, name, sdk.WithStartKind(kind), sdk.WithStartStatus(sdk.ToolCallStatusPending), sdk.WithStartContent(content)))
	}
	ctx, cancel := context.WithCancel(q.ctx)
	q.open[one.ID] = asked{one, id, cancel}
	request := sdk.RequestPermissionRequest{
		SessionId: q.s.id(), Options: options(one),
		ToolCall: sdk.ToolCallUpdate{ToolCallId: id, Title: &name, Kind: &kind, Status: sdk.Ptr(sdk.ToolCallStatusPending), Content: content},
	}
	go q.s.await(ctx, one, request)
}

// callOf is the id of a call for the editor: a parent's own id, or a distinct one for a
// subagent's.
func (q *questions) callOf(session lifecycle.SessionID, call lifecycle.CallID) sdk.ToolCallId {
	if session == q.s.Snapshot.Root {
		return sdk.ToolCallId(call)
	}
	return sdk.ToolCallId(string(session) + "/" + string(call))
}

// settled withdraws a question that was answered, and says that the call goes on.
func (q *questions) settled(t *publisher, one asked) {
	one.cancel()
	delete(q.open, one.ID)
	if slices.ContainsFunc(t.ledger.Run(one.Run).Tools, func(o lifecycle.OpenTool) bool { return o.Call == one.Call }) {
		q.s.send(sdk.UpdateToolCall(one.call, sdk.WithUpdateStatus(sdk.ToolCallStatusInProgress)))
	}
}

// ended sends the end of a subagent's call that was asked about.
func (q *questions) ended(run lifecycle.Run, e lifecycle.ToolEnded) {
	id := q.callOf(run.Session, e.Call)
	if !q.told[id] {
		return
	}
	delete(q.told, id)
	q.s.send(sdk.UpdateToolCall(id, sdk.WithUpdateStatus(callStatus(e.Status)), sdk.WithUpdateContent(q.s.content(viewOf(e.View)))))
}

// await waits for the answer and passes it on. If a rule cannot be stored the question stays
// open and is asked again.
func (s *session) await(ctx context.Context, q lifecycle.Question, request sdk.RequestPermissionRequest) {
	for {
		response, err := s.client.RequestPermission(ctx, request)
		if ctx.Err() != nil || s.left() {
			return
		}
		answer := answerOf(response, err)
		_, err = s.Route.Do(ctx, lifecycle.Resolve{Question: q.ID, Answer: answer})
		switch {
		case err == nil || ctx.Err() != nil:
			return
		case answer.Scope != lifecycle.GrantAlways:
			slog.Error("answer a question", "question", q.ID, "error", err) // it was answered meanwhile
			return
		}
		s.send(aside(err.Error()))
	}
}

// left reports whether the editor is gone: that it does not answer is then no answer.
func (s *session) left() bool {
	select {
	case <-s.client.Done():
		return true
	default:
		return false
	}
}

// answerOf is the chosen answer. Closing a question without an answer means no.
func answerOf(response sdk.RequestPermissionResponse, err error) lifecycle.Answer {
	if err != nil {
		return lifecycle.Answer{By: lifecycle.DeciderNobody, Reason: "the editor could not ask: " + string(sanitize.Line(err.Error()))}
	}
	answer := lifecycle.Answer{By: lifecycle.DeciderPerson}
	if chosen := response.Outcome.Selected; chosen != nil {
		switch chosen.OptionId {
		case optionOnce, optionRun, optionSession, optionAlways:
			answer.Allow, answer.Scope = true, lifecycle.GrantScope(chosen.OptionId)
		}
	}
	return answer
}

func options(q lifecycle.Question) []sdk.PermissionOption {
	tool := string(sanitize.Line(q.Tool))
	all := []sdk.PermissionOption{{OptionId: optionOnce, Kind: sdk.PermissionOptionKindAllowOnce, Name: "Allow this call"}}
	switch {
	case q.Each:
	case q.Exact:
		all = append(all, sdk.PermissionOption{OptionId: optionSession, Kind: sdk.PermissionOptionKindAllowAlways, Name: "Allow this command until you quit"})
	default:
		all = append(all,
			sdk.PermissionOption{OptionId: optionRun, Kind: sdk.PermissionOptionKindAllowAlways, Name: fmt.Sprintf("Allow all %s calls until this turn ends", tool)},
			sdk.PermissionOption{OptionId: optionSession, Kind: sdk.PermissionOptionKindAllowAlways, Name: fmt.Sprintf("Allow all %s calls until you quit", tool)})
	}
	if len(q.Rules) > 0 {
		all = append(all, sdk.PermissionOption{
			OptionId: optionAlways, Kind: sdk.PermissionOptionKindAllowAlways,
			Name: "Always allow " + string(sanitize.Line(strings.Join(q.Rules, ", "))),
		})
	}
	return append(all, sdk.PermissionOption{OptionId: optionNo, Kind: sdk.PermissionOptionKindRejectOnce, Name: "Deny"})
}

func (s *session) requestDetails(q lifecycle.Question) []sdk.ToolCallContent {
	text := fenced("", q.Subject)
	for _, why := range []string{q.AlwaysAsk, q.Because, q.Why} {
		if why != "" {
			text += "\n\n" + string(sanitize.Line(why))
		}
	}
	content := []sdk.ToolCallContent{prose(text)}
	view := viewOf(q.View)
	if _, same := view.(agent.CommandView); same { // the subject says the same
		return content
	}
	return append(content, s.content(view)...)
}
