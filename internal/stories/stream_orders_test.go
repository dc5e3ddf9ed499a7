package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// order says a line and gives its reply.
func (p *partner) order(line modeltest.Object) streamLine {
	p.t.Helper()
	p.say(line)
	return p.until("reply", func(l streamLine) bool { return l.Type == "reply" && l.ID == line["id"] })
}

// What waits for a busy session can be changed by a program as by a person: the model gets
// it as it stands in the end, in that order.
func TestAProgramEditsMovesAndWithdrawsWhatWaits(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Chat(), func(h modeltest.Request) modeltest.Reply {
		if h.Asked("begin") {
			return modeltest.Say("I have begun").Until(release)
		}
		return modeltest.Say("I have heard.")
	})
	p := newPartner(t, s)
	p.say(modeltest.Object{"type": "message", "text": "begin"})
	s.Server.Await(t, modeltest.ParentAsked("begin"))
	waiting := func(text string) string {
		line := p.order(modeltest.Object{"type": "message", "text": text, "id": text})
		require.NotEmpty(t, line.Message, line.raw)
		return line.Message
	}
	first, second, third := waiting("first"), waiting("second"), waiting("third")
	for _, line := range []modeltest.Object{
		{"type": "edit", "message": first, "text": "first, mended", "id": "edit"},
		{"type": "move", "message": third, "to": 0, "id": "move"},
		{"type": "withdraw", "message": second, "id": "withdraw"},
	} {
		require.True(t, p.order(line).OK, line)
	}
	again := p.order(modeltest.Object{"type": "withdraw", "message": second, "id": "again"})
	require.Equal(t, "message "+second+" is no longer waiting", again.Error)
	close(release)
	p.idle()
	heard := s.Server.Await(t, modeltest.ParentAsked("mended"))
	require.Equal(t, "third\nfirst, mended", heard.News()[0].Text)
	_, code := p.hangsUp()
	require.Equal(t, 0, code)
}

// A program lifts what was denied to a subagent in the background, and has the
// conversation summed up.
func TestAProgramGrantsWhatWasDeniedAndCompacts(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Chat(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("mark it") && !h.Answered("shell"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo ran > made.txt"}))
		case h.Child("mark it"):
			return modeltest.Say("I have tried.")
		case wantsSummary(h) && h.Asked("keep the names"):
			return modeltest.Say("Names: Add.")
		case h.Asked("send one"):
			return modeltest.Do(modeltest.Launch("a mark", "mark it"))
		}
		return modeltest.Say(strings.Repeat("Much was said. ", 400))
	})
	p := newPartner(t, s)
	p.say(modeltest.Object{"type": "message", "text": "send one"})
	denied := p.until("denial", func(l streamLine) bool { return l.Event == "permission_denied" }).Session
	p.idle()
	require.NoFileExists(t, s.Dir+"/made.txt")
	granted := p.order(modeltest.Object{"type": "grant", "session": denied, "id": "grant"})
	require.True(t, granted.OK, granted.raw)
	require.Contains(t, granted.raw, `"granted":[{"tool":"shell","subject":"echo ran > made.txt"`)
	p.idle()
	require.FileExists(t, s.Dir+"/made.txt")
	nothing := p.order(modeltest.Object{"type": "grant", "id": "nothing"})
	require.Equal(t, "nothing is denied to this session", nothing.Error)

	require.True(t, p.order(modeltest.Object{"type": "compact", "instructions": "keep the names", "id": "compact"}).OK)
	require.Contains(t, p.until("summary", func(l streamLine) bool { return l.Event == "compacted" }).raw, "Names: Add.")
	_, code := p.hangsUp()
	require.Equal(t, 0, code)
}
