package chat

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
	"pawl/lifecycle"
)

// calls streams these tool_calls arrays, one a chunk, and returns "name input"
// of what came out, with the message.
func calls(t *testing.T, req agent.Request, arrays ...string) ([]string, agent.Response) {
	t.Helper()
	var body strings.Builder
	for _, array := range arrays {
		body.WriteString(`data: {"choices":[{"index":0,"delta":{"tool_calls":` + array + `}}]}` + "\n\n")
	}
	body.WriteString(`data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\n")
	p, _ := serve(t, wiretest.Reply{Body: body.String()})
	res, heard, err := wiretest.Ask(t, p, req)
	require.NoError(t, err)
	var got []string
	ids := map[lifecycle.CallID]bool{}
	for i, call := range res.Message.Calls() {
		got = append(got, call.Name+" "+string(call.Input))
		require.NotEmpty(t, call.ID)
		require.LessOrEqual(t, len(call.ID), maxCallID)
		require.False(t, ids[call.ID], "ids differ")
		ids[call.ID] = true
		require.Equal(t, call.Name, heard.Calls()[i])
	}
	return got, res
}

func TestCallPieces(t *testing.T) {
	for name, row := range map[string]struct{ arrays, want []string }{
		"no id": {[]string{`[{"index":0,"function":{"name":"read","arguments":"{}"}}]`}, []string{"read {}"}},
		"whole in one chunk, no index, no ids": {
			[]string{`[{"function":{"name":"read","arguments":"{\"a\":1}"}},{"function":{"name":"read","arguments":"{\"a\":2}"}}]`},
			[]string{`read {"a":1}`, `read {"a":2}`},
		},
		"index always 0, ids differ": {
			[]string{`[{"index":0,"id":"a","function":{"name":"read","arguments":"{}"}}]`, `[{"index":0,"id":"b","function":{"name":"read","arguments":"{}"}}]`},
			[]string{"read {}", "read {}"},
		},
		"index always 0, no ids": {
			[]string{`[{"index":0,"function":{"name":"read","arguments":"{}"}}]`, `[{"index":0,"function":{"name":"list","arguments":"{}"}}]`},
			[]string{"read {}", "list {}"},
		},
		"index missing, pieces by id": {
			[]string{`[{"id":"a","function":{"name":"read","arguments":"{\"p\""}},{"id":"b","function":{"name":"list","arguments":"{"}}]`, `[{"id":"a","function":{"arguments":":1}"}},{"id":"b","function":{"arguments":"}"}}]`},
			[]string{`read {"p":1}`, "list {}"},
		},
		"index missing, pieces without id": {
			[]string{`[{"id":"a","function":{"name":"read","arguments":""}}]`, `[{"function":{"arguments":"{\"p\""}}]`, `[{"function":{"arguments":":1}"}}]`},
			[]string{`read {"p":1}`},
		},
		"name and id repeated in each piece": {
			[]string{`[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\""}}]`, `[{"index":0,"id":"a","function":{"name":"read","arguments":":1}"}}]`},
			[]string{`read {"p":1}`},
		},
		"name repeated without id": {
			[]string{`[{"index":0,"function":{"name":"read","arguments":"{\"p\""}}]`, `[{"index":0,"function":{"name":"read","arguments":":1}"}}]`},
			[]string{`read {"p":1}`},
		},
		"a new id in each piece": {
			[]string{`[{"index":0,"id":"a","function":{"name":"read","arguments":"{"}}]`, `[{"index":0,"id":"b","function":{"arguments":"}"}}]`},
			[]string{"read {}"},
		},
		"the id comes late": {
			[]string{`[{"index":0,"function":{"name":"read","arguments":""}}]`, `[{"index":0,"id":"b","function":{"arguments":"{}"}}]`},
			[]string{"read {}"},
		},
		"arguments as an object, or null": {
			[]string{`[{"index":0,"id":"a","function":{"name":"read","arguments":{"p":1}}},{"index":1,"id":"b","function":{"name":"list","arguments":null}}]`},
			[]string{`read {"p":1}`, "list "},
		},
		"two with one id": {
			[]string{`[{"index":0,"id":"a","function":{"name":"read","arguments":"{}"}},{"index":1,"id":"a","function":{"name":"list","arguments":"{}"}}]`},
			[]string{"read {}", "list {}"},
		},
		"arguments that are no JSON": {
			[]string{`[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\": oops"}}]`},
			[]string{`read {"p": oops`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, res := calls(t, hello(), row.arrays...)
			require.Equal(t, row.want, got)
			require.Equal(t, agent.StopToolCalls, res.Stop)
		})
	}
}

// Some servers count their calls from 0 in every answer.
func TestAnIdOfTheTranscriptIsNotTakenTwice(t *testing.T) {
	req := hello()
	req.Messages = append(req.Messages, agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{{Call: &agent.Call{ID: "call_0", Name: "read"}}}})
	_, res := calls(t, req, `[{"index":0,"id":"call_0","function":{"name":"read","arguments":"{}"}},{"index":1,"id":"call_1","function":{"name":"read","arguments":"{}"}}]`)
	require.NotEqual(t, lifecycle.CallID("call_0"), res.Message.Calls()[0].ID)
	require.Equal(t, lifecycle.CallID("call_1"), res.Message.Calls()[1].ID)
}

// A limit that cuts a call in two is told, so that nobody runs half of it.
func TestLengthInACall(t *testing.T) {
	body := strings.ReplaceAll(wiretest.Play(t, "calls.sse").Body, `"finish_reason":"tool_calls"`, `"finish_reason":"length"`)
	p, _ := serve(t, wiretest.Reply{Body: body})
	res, _, err := wiretest.Ask(t, p, hello())
	require.NoError(t, err)
	require.Equal(t, agent.StopLength, res.Stop)
}
