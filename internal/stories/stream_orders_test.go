package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// order says a line and gives its reply.
func (p *partner) order(line object) streamLine {
	p.t.Helper()
	p.say(line)
	return p.until("reply", func(l streamLine) bool { return l.Type == "reply" && l.ID == line["id"] })
}

// What waits for a busy session can be changed by a program as by a person: the model gets
// it as it stands in the end, in that order.
func TestAProgramEditsMovesAndWithdrawsWhatWaits(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := set(t, chatProtocol(), func(h heard) reply {
		if h.asked("begin") {
			return say("I have begun").until(release)
		}
		return say("I have heard.")
	})
	p := s.partner(t)
	p.say(object{"type": "message", "text": "begin"})
	s.server.await(t, parentAsked("begin"))
	waiting := func(text string) string {
		line := p.order(object{"type": "message", "text": text, "id": text})
		require.NotEmpty(t, line.Message, line.raw)
		return line.Message
	}
	first, second, third := waiting("first"), waiting("second"), waiting("third")
	for _, line := range []object{
		{"type": "edit", "message": first, "text": "first, mended", "id": "edit"},
		{"type": "move", "message": third, "to": 0, "id": "move"},
		{"type": "withdraw", "message": second, "id": "withdraw"},
	} {
		require.True(t, p.order(line).OK, line)
	}
	again := p.order(object{"type": "withdraw", "message": second, "id": "again"})
	require.Equal(t, "message "+second+" is no longer waiting", again.Error)
	close(release)
	p.idle()
	heard := s.server.await(t, parentAsked("mended"))
	require.Equal(t, "third\nfirst, mended", heard.news()[0].text)
	_, code := p.hangsUp()
	require.Equal(t, 0, code)
}

// A program lifts what was denied to a subagent in the background, and has the
// conversation summed up.
func TestAProgramGrantsWhatWasDeniedAndCompacts(t *testing.T) {
	t.Parallel()
	s := set(t, chatProtocol(), func(h heard) reply {
		switch {
		case h.child("mark it") && !h.answered("shell"):
			return do(use("shell", object{"command": "echo ran > made.txt"}))
		case h.child("mark it"):
			return say("I have tried.")
		case h.wantsSummary() && h.asked("keep the names"):
			return say("Names: Add.")
		case h.asked("send one"):
			return do(launch("a mark", "mark it"))
		}
		return say(strings.Repeat("Much was said. ", 400))
	})
	p := s.partner(t)
	p.say(object{"type": "message", "text": "send one"})
	denied := p.until("denial", func(l streamLine) bool { return l.Event == "permission_denied" }).Session
	p.idle()
	require.NoFileExists(t, s.dir+"/made.txt")
	granted := p.order(object{"type": "grant", "session": denied, "id": "grant"})
	require.True(t, granted.OK, granted.raw)
	require.Contains(t, granted.raw, `"granted":[{"tool":"shell","subject":"echo ran > made.txt"`)
	p.idle()
	require.FileExists(t, s.dir+"/made.txt")
	nothing := p.order(object{"type": "grant", "id": "nothing"})
	require.Equal(t, "nothing is denied to this session", nothing.Error)

	require.True(t, p.order(object{"type": "compact", "instructions": "keep the names", "id": "compact"}).OK)
	require.Contains(t, p.until("summary", func(l streamLine) bool { return l.Event == "compacted" }).raw, "Names: Add.")
	_, code := p.hangsUp()
	require.Equal(t, 0, code)
}
