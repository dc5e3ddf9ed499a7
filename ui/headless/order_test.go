package headless

import (
	"bufio"
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

func TestALineIsTheCommandThatItSays(t *testing.T) {
	const command = lifecycle.CauseCommand
	for line, want := range map[string]lifecycle.Command{
		`{"type":"message","text":"go"}`:                              lifecycle.Send{Session: "root", Text: "go"},
		`{"type":"message","text":"read @/etc/passwd","session":"a"}`: lifecycle.Send{Session: "a", Text: "read @/etc/passwd"},
		`{"type":"shell","command":"ls"}`:                             lifecycle.RunShell{Session: "root", Command: "ls"},
		`{"type":"edit","message":"m","text":"new"}`:                  lifecycle.EditMessage{Session: "root", Message: "m", Text: "new"},
		`{"type":"move","message":"m","to":2,"session":"a"}`:          lifecycle.MoveMessage{Session: "a", Message: "m", To: 2},
		`{"type":"withdraw","message":"m"}`:                           lifecycle.WithdrawMessage{Session: "root", Message: "m"},
		`{"type":"answer","question":"q","answer":"run"}`:             lifecycle.Resolve{Question: "q", Answer: lifecycle.Answer{Allow: true, Scope: lifecycle.GrantRun}},
		`{"type":"answer","question":"q","answer":"no","reason":"x"}`: lifecycle.Resolve{Question: "q", Answer: lifecycle.Answer{Reason: "x"}},
		`{"type":"stop"}`:                              lifecycle.Stop{Session: "root", Cause: command},
		`{"type":"stop","session":"a"}`:                lifecycle.Stop{Session: "a", Cause: command},
		`{"type":"stop","session":"all"}`:              lifecycle.StopAll{Root: "root", Cause: command},
		`{"type":"stop_foreground"}`:                   lifecycle.StopForeground{Session: "root", Cause: command},
		`{"type":"background"}`:                        lifecycle.DetachForeground{Session: "root"},
		`{"type":"background","session":"a"}`:          lifecycle.Detach{Session: "a"},
		`{"type":"grant","session":"a"}`:               lifecycle.Grant{Session: "a"},
		`{"type":"leave","session":"a"}`:               lifecycle.Leave{Session: "a"},
		`{"type":"continue","session":"a"}`:            lifecycle.Continue{Session: "a"},
		`{"type":"compact","instructions":"be brief"}`: lifecycle.Compact{Session: "root", Instructions: "be brief"},
	} {
		_, asked, err := readOrder([]byte(line), orders(), "root")
		require.NoError(t, err, line)
		require.Equal(t, want, asked.command, line)
	}
}

// Whatever the screen can ask, another program can.
func TestEveryCommandHasAnOrder(t *testing.T) {
	reached := map[reflect.Type]bool{}
	for _, line := range append(documented(t, "stream-json.md", "json input"), `{"type":"background"}`) {
		_, asked, err := readOrder([]byte(line), orders(), "root")
		require.NoError(t, err)
		reached[reflect.TypeOf(asked.command)] = true
	}
	for _, command := range []lifecycle.Command{
		lifecycle.Send{},
		lifecycle.RunShell{},
		lifecycle.EditMessage{},
		lifecycle.MoveMessage{},
		lifecycle.WithdrawMessage{},
		lifecycle.Stop{},
		lifecycle.StopForeground{},
		lifecycle.StopAll{},
		lifecycle.Detach{},
		lifecycle.DetachForeground{},
		lifecycle.Resolve{},
		lifecycle.Grant{},
		lifecycle.Leave{},
		lifecycle.Continue{},
		lifecycle.Compact{},
	} {
		require.True(t, reached[reflect.TypeOf(command)], "%T", command)
	}
}

func TestAWrongLineIsNamedWithWhatWasMeant(t *testing.T) {
	for line, want := range map[string]string{
		`hello`:                                 `the line is not a JSON object`,
		`null`:                                  `the line is not a JSON object`,
		`[]`:                                    `the line is not a JSON object`,
		`{}`:                                    `the line has no "type"`,
		`{"type":7}`:                            `the line has no "type"`,
		`{"type":"mesage","text":"go"}`:         `unknown type "mesage"; did you mean "message"?`,
		`{"type":"message","txt":"go"}`:         `message: unknown field "txt"; did you mean "text"?`,
		`{"type":"message","Text":"go"}`:        `message: unknown field "Text"; did you mean "text"?`,
		`{"type":"message","session":"a"}`:      `message: it needs "text"`,
		`{"type":"message","text":null}`:        `message: it needs "text"`,
		`{"type":"message","text":["go"]}`:      `message: text: it takes a string, not this array`,
		`{"type":"move","message":"m","to":-1}`: `move: to: it takes a place, 0 for the first, not -1`,
		`{"type":"move","message":"m","to":"first"}`:                    `move: to: it takes a whole number, not this string`,
		`{"type":"grant","always":"yes"}`:                               `grant: always: it takes true or false, not this string`,
		`{"type":"answer","question":"q","answer":"yes"}`:               `answer: "yes" must be one of once, run, session, always, no`,
		`{"type":"answer","question":"q","answer":"once","reason":"x"}`: `answer: reason: only the answer no takes one`,
		`{"type":"stop","id":7}`:                                        `id: it takes a string`,
	} {
		_, _, err := readOrder([]byte(line), orders(), "root")
		require.ErrorContains(t, err, want, line)
		require.NotContains(t, err.Error(), "\n")
	}
	id, _, err := readOrder([]byte(`{"type":"stopp","id":"7"}`), orders(), "root")
	require.Error(t, err)
	require.Equal(t, "7", id, "also of a line that is wrong")
}

func TestLinesAreCountedAndALongOneIsPassedOver(t *testing.T) {
	long := strings.Repeat("x", longestLine)
	in := "{\"type\":\"stop\",\"id\":\"a\"}\n\n  \r\n{\"type\":\"message\",\"text\":\"" + long + "\"}\n{\"type\":\"stop\",\"id\":\"b\"}"
	to, room := make(chan inputLine), make(chan struct{}, 3)
	ended := make(chan error, 1)
	go func() { ended <- readInput(t.Context(), strings.NewReader(in), orders(), "root", room, to) }()
	var lines []inputLine
	for h := range to {
		lines = append(lines, h)
	}
	require.NoError(t, <-ended)
	require.Len(t, lines, 3)
	require.Equal(t, []any{1, "a", 4, errLongLine, 5, "b"}, []any{lines[0].line, lines[0].id, lines[1].line, lines[1].err, lines[2].line, lines[2].id})
	require.Len(t, room, 3)
}

func TestNobodyIsListenedToWhoReadsNoReplies(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	to, room := make(chan inputLine), make(chan struct{}, 1)
	ended := make(chan error, 1)
	go func() {
		ended <- readInput(ctx, strings.NewReader("{\"type\":\"stop\"}\n{\"type\":\"stop\"}\n"), orders(), "root", room, to)
	}()
	require.Equal(t, 1, (<-to).line)
	cancel() // the second waits for room
	require.NoError(t, <-ended)
	_, more := <-to
	require.False(t, more)
}

func FuzzReadOrder(f *testing.F) {
	for _, name := range namesOf(orders()) {
		f.Add(`{"type":"` + name + `","text":"go","message":"m","question":"q","answer":"no","to":1}`)
	}
	f.Fuzz(func(t *testing.T, line string) {
		_, asked, err := readOrder([]byte(line), orders(), "root")
		command := asked.command
		require.True(t, (command == nil) == (err != nil), "%v %v", command, err)
		text, _ := readLine(bufio.NewReader(strings.NewReader(line)))
		require.True(t, strings.HasPrefix(line, string(text)))
	})
}
