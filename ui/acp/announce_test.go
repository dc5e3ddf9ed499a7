package acp

import (
	"testing"
	"testing/synctest"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// announced are the lists of commands that the editor was told.
func (l *fixture) announced() (all [][]sdk.AvailableCommand) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, u := range l.told {
		if u.AvailableCommandsUpdate != nil {
			all = append(all, u.AvailableCommandsUpdate.AvailableCommands)
		}
	}
	return all
}

func TestCommandsAreAnnouncedWhenTheyAreOthersThanBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFixture(t, 0)
		now := []Command{{Name: "review", Description: "Review\x1b[31m it", Hint: "[pr]"}}
		l.Commands = func() []Command { return now }
		l.announce()
		l.announce()
		now = append(now, Command{Name: "a", Description: "b"})
		l.announce()
		told := l.announced()
		require.Len(t, told, 2)
		require.Equal(t, "compact", told[0][0].Name)
		require.Equal(t, "review", told[0][1].Name)
		require.NotContains(t, told[0][1].Description, "\x1b")
		require.Equal(t, "[pr]", told[0][1].Input.Unstructured.Hint)
		require.Len(t, told[1], 3)
	})
}

func TestAPromptThatIsCompactSummarizesInsteadOfAsking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for text, keeps := range map[string]any{"/compact": "", "/compact keep the SQL": "keep the SQL", "/compacted": nil, "say /compact": nil} {
			command, is := newFixture(t, 0).compacting(text)
			require.Equal(t, keeps != nil, is, text)
			if is {
				require.Equal(t, lifecycle.Compact{Session: "root", Instructions: keeps.(string)}, command)
			}
		}
		l := newFixture(t, 0)
		l.follow(false)
		l.reply = lifecycle.Reply{Runs: []lifecycle.Run{{ID: "r-1"}}}
		over := make(chan sdk.StopReason, 1)
		go func() {
			reason, _ := l.prompt(t.Context(), l.place(), []sdk.ContentBlock{sdk.TextBlock("/compact the rest")})
			over <- reason
		}()
		synctest.Wait()
		l.happens("root", "r-1", lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root", Trigger: lifecycle.TriggerCompact}}, lifecycle.Started{}, lifecycle.Ended{State: lifecycle.StateCompleted})
		require.Equal(t, sdk.StopReasonEndTurn, <-over)
		require.IsType(t, lifecycle.Compact{}, l.done[0])
		l.close(lifecycle.CauseQuit)
		l.unfollow()
	})
}

func TestCommandsOfANewSessionFollowTheAnswerThatNamesIt(t *testing.T) {
	var after afterAnswers
	done := make(chan struct{})
	after.written([]byte(`{"result":{"sessionId":"a"}}`))
	after.add("a", func() { close(done) })
	after.written([]byte(`{"method":"session/update","params":{"sessionId":"a"}}`))
	select {
	case <-done:
		require.Fail(t, "too early")
	default:
	}
	after.written([]byte(`{"id":1,"result":{"sessionId":"a"}}`))
	<-done
}
