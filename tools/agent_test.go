package tools

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/tools/process"
)

const parent lifecycle.SessionID = "parent"

// delegation is a parent's tools over a real supervisor and a real database.
// Subagents do what their prompt names.
type delegation struct {
	t     *testing.T
	s     *lifecycle.Supervisor
	store *store.Store
	tools map[string]agent.Tool
	ended chan string // prompts of ended workers
	do    chan func(port *lifecycle.Port)

	shells Shells
}

func newDelegation(t *testing.T) *delegation {
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "pawl.db"), store.Options{})
	require.NoError(t, err)
	d := &delegation{t: t, store: db, tools: map[string]agent.Tool{}, do: make(chan func(*lifecycle.Port)), ended: make(chan string, 10)}
	equipment := Equipment{Workspace: plant(t, "-- here --\n"), Launcher: &process.Launcher{}, Shells: &d.shells}
	for _, tool := range append(Delegation(agent.BuiltinTypes(), db.Entries, Places{}), Working(equipment)...) {
		d.tools[tool.Spec.Name] = tool
	}
	d.s = lifecycle.New(lifecycle.Options{Journal: db, Work: d.work, Limits: lifecycle.DefaultLimits()})
	_, err = d.s.Open(t.Context(), parent, lifecycle.Spec{Folder: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() {
		close(d.do)
		require.NoError(t, d.s.Close(context.Background(), lifecycle.CauseQuit))
		require.NoError(t, db.Close())
	})
	_, err = d.s.Do(t.Context(), lifecycle.Send{Session: parent, Text: "go"})
	require.NoError(t, err)
	return d
}

func (d *delegation) work(ctx context.Context, port *lifecycle.Port) lifecycle.Outcome {
	if port.Run().Shell() {
		return d.shells.Work(ctx, port, &process.Launcher{Owner: port.Run().ID})
	}
	if _, err := port.Step(); err != nil {
		return lifecycle.Outcome{Err: err}
	}
	switch port.Run().Prompt {
	case "go": // the parent does what the test tells it to
		for do := range d.do {
			do(port)
		}
		return lifecycle.Outcome{Text: "done"}
	case "finish":
		return lifecycle.Outcome{Text: "all of it"}
	case "say nothing":
		return lifecycle.Outcome{}
	case "fail":
		return lifecycle.Outcome{Err: &lifecycle.Failure{Kind: lifecycle.FailProvider, Message: "the server is down"}}
	}
	if err := port.Record(nil, lifecycle.Text{Text: "half of it"}); err != nil {
		return lifecycle.Outcome{Err: err}
	}
	d.ended <- "working"
	<-ctx.Done()
	return lifecycle.Outcome{Err: context.Cause(ctx)}
}

// call runs a tool as the parent's loop would, and records its result.
func (d *delegation) call(name, input string) (map[string]any, agent.Result) {
	d.t.Helper()
	out := make(chan agent.Result)
	d.do <- func(port *lifecycle.Port) {
		id := lifecycle.NewCallID()
		result := d.tools[name].Run(context.Background(), agent.Invocation{Call: id, Input: json.RawMessage(input), Scope: port.Scope()})
		entry := lifecycle.Entry{Session: parent, Run: port.Run().ID, Kind: lifecycle.EntryToolResult, Call: id, Body: json.RawMessage(`{}`)}
		err := port.Answered(entry, lifecycle.ToolEnded{Call: id, Tool: name, Status: lifecycle.ToolOK}, nil, result.Consumes)
		if err != nil {
			result = agent.ErrorResult(err.Error())
		}
		out <- result
	}
	result := <-out
	require.NotEmpty(d.t, result.Text)
	var reply map[string]any
	if !result.IsError {
		require.NoError(d.t, json.Unmarshal([]byte(result.Text), &reply), result.Text)
	}
	return reply, result
}

func (d *delegation) run(reply map[string]any) lifecycle.Run {
	runs, err := d.store.Runs(d.t.Context(), parent, 0, 0)
	require.NoError(d.t, err)
	for _, run := range runs {
		if string(run.ID) == reply["run_id"] {
			return run
		}
	}
	require.Fail(d.t, "no such run", reply["run_id"])
	return lifecycle.Run{}
}

func TestAForegroundCallGivesTheResultAndConsumesIt(t *testing.T) {
	d := newDelegation(t)
	reply, _ := d.call("agent", `{"description":"do it","prompt":"finish"}`)
	require.Equal(t, "completed", reply["status"])
	require.Equal(t, "all of it", reply["output"])
	require.NotNil(t, reply["usage"])
	run := d.run(reply)
	require.Equal(t, agent.TypeGeneral, run.Type)
	require.Equal(t, lifecycle.ByToolResult, run.Consumed.By)
	require.Nil(t, run.Notification)
}

func TestAnEmptyEndIsNoSuccess(t *testing.T) {
	d := newDelegation(t)
	reply, _ := d.call("agent", `{"description":"do it","prompt":"say nothing"}`)
	require.Equal(t, "completed_empty", reply["status"])
	require.Contains(t, reply["message"], "reported nothing")
	require.Equal(t, "(there was no text)", reply["output"])
}

func TestAFailureNamesItsKindAndWhatToDo(t *testing.T) {
	d := newDelegation(t)
	reply, _ := d.call("agent", `{"description":"do it","prompt":"fail"}`)
	require.Equal(t, "failed", reply["status"])
	require.Equal(t, map[string]any{"kind": "provider", "message": "the server is down"}, reply["error"])
	require.Contains(t, reply["message"], "Nothing of it is running")
}

func TestABackgroundCallSaysThatItWillBeTold(t *testing.T) {
	d := newDelegation(t)
	reply, result := d.call("agent", `{"description":"do it","prompt":"work","run_in_background":true}`)
	<-d.ended
	require.Equal(t, "running", reply["status"])
	require.Contains(t, reply["message"], "You will be told")
	require.Contains(t, reply["message"], "do not poll")
	require.Empty(t, result.Consumes)
	require.Nil(t, reply["output"])
}

func TestAStopGivesThePartialTextAndTheStateThatStands(t *testing.T) {
	d := newDelegation(t)
	started, _ := d.call("agent", `{"description":"do it","prompt":"work","run_in_background":true}`)
	<-d.ended
	id := started["agent_id"].(string)
	reply, _ := d.call("agent_stop", `{"agent_id":"`+id+`","reason":"enough"}`)
	require.Equal(t, "canceled_by_agent", reply["status"])
	require.Equal(t, "half of it", reply["output"])
	require.Equal(t, true, reply["output_is_partial"])
	require.Equal(t, lifecycle.ByAgentStop, d.run(reply).Consumed.By)

	again, _ := d.call("agent_stop", `{"agent_id":"`+id+`"}`)
	require.Equal(t, "canceled_by_agent", again["status"], "a second stop reports the state that stands")
}

func TestAResultThatWasReadOwesNoNotification(t *testing.T) {
	d := newDelegation(t)
	started, _ := d.call("agent", `{"description":"do it","prompt":"finish","run_in_background":true}`)
	reply, _ := d.call("agent_output", `{"agent_id":"`+started["agent_id"].(string)+`","wait_ms":60000}`)
	require.Equal(t, "completed", reply["status"])
	require.Equal(t, "all of it", reply["output"])
	run := d.run(reply)
	require.Equal(t, lifecycle.ByAgentOutput, run.Notification.WithdrawnBy)
	require.Equal(t, lifecycle.ByAgentOutput, run.Consumed.By)
}

func TestAgentOutputOfARunningOneConsumesNothing(t *testing.T) {
	d := newDelegation(t)
	started, _ := d.call("agent", `{"description":"do it","prompt":"work","run_in_background":true}`)
	<-d.ended
	id := started["agent_id"].(string)
	reply, _ := d.call("agent_output", `{"agent_id":"`+id+`","detail":"events"}`)
	require.Equal(t, "running", reply["status"])
	require.NotEmpty(t, reply["activity"])
	require.Nil(t, d.run(reply).Consumed)
	var names []string
	for _, e := range reply["events"].([]any) {
		names = append(names, e.(map[string]any)["event"].(string))
	}
	require.Equal(t, []string{"spawned", "started", "step_started", "text"}, names)

	last := reply["last_record"].(float64)
	reply, _ = d.call("agent_output", `{"agent_id":"`+id+`","since":`+jsonNumber(last)+`}`)
	require.Nil(t, reply["events"])
	require.InDelta(t, last, reply["last_record"].(float64), 0)
}

func TestASubagentIsNotResumedAsOneOfAnotherType(t *testing.T) {
	d := newDelegation(t)
	started, _ := d.call("agent", `{"description":"do it","prompt":"finish","subagent_type":"explore"}`)
	id := started["agent_id"].(string)
	_, result := d.call("agent", `{"description":"more","prompt":"finish","resume":"`+id+`","subagent_type":"general"}`)
	require.Equal(t, "No subagent was started: agent "+id+" is of type explore, which it keeps: leave subagent_type out, or start a new one without resume", result.Text)
	for _, kind := range []string{``, `,"subagent_type":"explore"`} {
		reply, _ := d.call("agent", `{"description":"more","prompt":"finish","resume":"`+id+`"`+kind+`}`)
		require.Equal(t, "completed", reply["status"])
	}
}

func TestAMessageThatIsNotSentIsNoSubagentThatIsNotStarted(t *testing.T) {
	d := newDelegation(t)
	started, _ := d.call("agent", `{"description":"do it","prompt":"work","run_in_background":true}`)
	<-d.ended
	_, result := d.call("agent_send", `{"agent_id":"`+started["agent_id"].(string)+`","message":"  "}`)
	require.True(t, result.IsError)
	require.Contains(t, result.Text, "The message was not sent: ")
}

// The middle of a long answer would be cut out of its JSON, and last_record with it.
func TestALongReplyOfASubagentIsWholeJSONThatCanBeGoneOnFrom(t *testing.T) {
	events := make([]lifecycle.Record, eventsGiven)
	for i := range events {
		events[i] = lifecycle.Record{Seq: lifecycle.Seq(i + 1), Event: lifecycle.Text{Text: strings.Repeat("\"x\" ", 100)}}
	}
	r := reply{Agent: "a", Message: "It runs.", Output: strings.Repeat("out ", 2000)}
	r.Events = fitting(r, events)
	require.NotEmpty(t, r.Events)
	require.Less(t, len(r.Events), len(events))
	require.LessOrEqual(t, len(marshal(r)), resultText)

	huge := []transcriptLine{{Role: "assistant", Text: strings.Repeat("line\n", transcriptRunes/5)}, {Role: "user", Text: "before it"}}
	r = reply{Agent: "a", Output: strings.Repeat("out ", 5000), Message: "It has ended."}
	r.Messages = fitting(r, huge)
	require.Len(t, r.Messages, 1, "the newest always")
	w, _ := keeping(t, "")
	text := telling(agent.Result{Text: marshal(r)}, w.Outputs).Run(t.Context(), agent.Invocation{}).Text
	require.LessOrEqual(t, utf8.RuneCountInString(text), resultText)
	var read reply
	require.NoError(t, json.Unmarshal([]byte(text), &read))
	require.Equal(t, "It has ended.", read.Message)
	require.Contains(t, read.Messages[0].Text, "line\nline")
}

func jsonNumber(f float64) string {
	b, _ := json.Marshal(int64(f))
	return string(b)
}

func TestTheListNamesSlotsAndRows(t *testing.T) {
	d := newDelegation(t)
	for range 6 {
		d.call("agent", `{"description":"do it","prompt":"work","run_in_background":true}`)
	}
	for range 5 {
		<-d.ended
	}
	reply, _ := d.call("agent_list", `{}`)
	require.Equal(t, map[string]any{"limit": 5.0, "running": 5.0, "queued": 1.0}, reply["slots"])
	rows := reply["agents"].([]any)
	require.Len(t, rows, 6)
	require.Equal(t, "queued", rows[5].(map[string]any)["status"])
	require.Equal(t, "waiting for a slot", rows[5].(map[string]any)["activity"])
	queued, _ := d.call("agent_list", `{"status":"queued"}`)
	require.Len(t, queued["agents"], 1)
}

func TestAMessageToAnEndedSubagentStartsABackgroundRun(t *testing.T) {
	d := newDelegation(t)
	first, _ := d.call("agent", `{"description":"do it","prompt":"finish"}`)
	reply, _ := d.call("agent_send", `{"agent_id":"`+first["agent_id"].(string)+`","message":"work"}`)
	<-d.ended
	require.Equal(t, first["agent_id"], reply["agent_id"])
	require.NotEqual(t, first["run_id"], reply["run_id"])
	require.True(t, d.run(reply).Background)
}

func TestBadArgumentsAreNamed(t *testing.T) {
	d := newDelegation(t)
	for input, want := range map[string]string{
		`{"prompt":"x"}`: "description",
		`{"description":"a","prompt":"x","subagent_type":"wizard"}`:  "wizard",
		`{"description":"a","prompt":"x","resume":"nobody"}`:         "nobody",
		`{"description":"a","prompt":"x","run_in_background":"yes"}`: "run_in_background",
		`{"description":"a","prompt":"x","runs_in_background":true}`: "runs_in_background",
	} {
		_, result := d.call("agent", input)
		require.True(t, result.IsError, input)
		require.Contains(t, result.Text, want)
	}
	_, result := d.call("agent_output", `{"agent_id":"nobody"}`)
	require.Contains(t, result.Text, "agent_list names them")
}

// The reply of a call that was cut off names the end; what the command wrote comes with the notification.
func TestTheEndOfACommandIsStillToldWhereItsOutputWasNotGiven(t *testing.T) {
	d := newDelegation(t)
	out := make(chan agent.Result)
	d.do <- func(port *lifecycle.Port) {
		call := agent.Invocation{Call: lifecycle.NewCallID(), Input: json.RawMessage(`{"command":"echo $((6*7))","run_in_background":true}`), Scope: port.Scope()}
		d.tools["shell"].Run(context.Background(), call)
		for _, run := range port.Scope().Runs() {
			_, _ = port.Scope().Await(context.Background(), run.ID, maxWait)
		}
		out <- d.tools["shell"].Lost(call)
	}
	result := <-out
	require.Contains(t, result.Text, `"completed"`)
	require.NotContains(t, result.Text, `"output"`)
	require.Empty(t, result.Consumes)
}
