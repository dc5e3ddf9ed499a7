package script_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/script"
)

// talk is a conversation with a model, as the loop would hold it.
type talk struct {
	t        *testing.T
	script   *script.Script
	tools    []string
	messages []agent.Message
	calls    []agent.Call // of the newest answer
}

func rootTools() []string {
	return []string{"read", "write", "edit", "glob", "grep", "list", "shell", "agent", "agent_list", "agent_output", "agent_send", "agent_stop"}
}

func childTools() []string { return []string{"read", "glob", "grep", "list"} }

func newTalk(t *testing.T, script *script.Script, tools []string) *talk {
	t.Helper()
	return &talk{t: t, script: script, tools: tools}
}

// says adds what a person, a parent or Pawl wrote.
func (k *talk) says(text string) *talk {
	k.messages = append(k.messages, agent.Say(text))
	return k
}

func (k *talk) request() agent.Request {
	req := agent.Request{Messages: k.messages}
	for _, name := range k.tools {
		req.Tools = append(req.Tools, agent.ToolSpec{Name: name})
	}
	return req
}

// output is one answer.
type output struct {
	Text  string
	Calls []agent.Call
}

// answer asks the model, twice to see that it keeps nothing, and keeps its answer.
func (k *talk) answer() output {
	k.t.Helper()
	var turns [2]output
	for i := range turns {
		_, answer, err := stream(k.t.Context(), script.New(k.script, script.Immediate), k.request())
		require.NoError(k.t, err)
		turns[i] = output{Text: answer.Message.Text(), Calls: answer.Message.Calls()}
		for _, call := range turns[i].Calls {
			require.True(k.t, json.Valid(call.Input), "%s", call.Input)
		}
		if i == 1 {
			require.Equal(k.t, turns[0].Text, turns[1].Text)
			require.Equal(k.t, named(turns[0].Calls), named(turns[1].Calls))
			k.messages, k.calls = append(k.messages, answer.Message), turns[1].Calls
		}
	}
	return turns[0]
}

// gets answers the calls of the newest answer, in order.
func (k *talk) gets(results ...agent.Result) *talk {
	k.t.Helper()
	require.Len(k.t, k.calls, len(results))
	m := agent.Message{Role: agent.RoleTool}
	for i, r := range results {
		m.Parts = append(m.Parts, agent.Part{Result: &agent.CallResult{
			Call: k.calls[i].ID, Name: k.calls[i].Name, Text: r.Text, IsError: r.IsError,
		}})
	}
	k.messages = append(k.messages, m)
	return k
}

func gave(text string) agent.Result { return agent.Result{Text: text} }

// reply is the result of a tool of delegation.
func reply(fields map[string]any) agent.Result {
	b, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return gave(string(b))
}

func launched(id string) agent.Result {
	return reply(map[string]any{
		"agent_id": id, "run_id": "run-" + id, "status": "running",
		"message": "You will be told when it ends.",
	})
}

// named are the tools and inputs of calls.
func named(calls []agent.Call) []string {
	var all []string
	for _, c := range calls {
		all = append(all, c.Name+" "+string(c.Input))
	}
	return all
}
