package acp

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// cardTold is the newest state and content of a call that was told, and how often it was.
func (l *fixture) cardTold(call sdk.ToolCallId) (status sdk.ToolCallStatus, text string, times int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, u := range l.told {
		if up := u.ToolCallUpdate; up != nil && up.ToolCallId == call {
			status, times = *up.Status, times+1
			if len(up.Content) > 0 {
				text = up.Content[0].Content.Content.Text.Text
			}
		}
	}
	return status, text, times
}

func TestACardTellsOfItsSubagentUntilTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newFixture(t, 0)
		l.follow(false)
		l.happens("root", "p1", append(begun, lifecycle.StepStarted{Step: 1}, lifecycle.ToolStarted{Call: "x", Tool: "agent", Label: "a dig"})...)
		l.happens("child", "c1", lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root", Parent: "root", Call: "x", Type: "explore", Description: "a dig", Background: true}}, lifecycle.Queued{Position: 1})
		synctest.Wait()
		status, text, _ := l.cardTold("x")
		require.Equal(t, sdk.ToolCallStatusPending, status)
		require.Contains(t, text, "**explore** waits for a slot")

		l.happens("root", "p1", lifecycle.ToolEnded{Call: "x", Tool: "agent", Status: lifecycle.ToolOK}) // the call is over, its subagent is not
		l.happens("child", "c1", lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
		for i := range callsShown + 2 {
			call := lifecycle.CallID(fmt.Sprint(i))
			l.happens("child", "c1", lifecycle.ToolStarted{Call: call, Tool: "read", Label: fmt.Sprintf("f%d.go\x1b[2J", i)}, lifecycle.ToolEnded{Call: call, Tool: "read", Status: lifecycle.ToolOK})
		}
		l.happens("child", "c1", lifecycle.ToolStarted{Call: "z", Tool: "shell", Label: "make"},
			lifecycle.PermissionDenied{Call: "z", Tool: "shell", Subject: "make", By: "nobody", Reason: "nobody is there to ask"},
			lifecycle.ToolEnded{Call: "z", Tool: "shell", Status: lifecycle.ToolDenied})
		synctest.Wait()
		status, text, _ = l.cardTold("x")
		require.Equal(t, sdk.ToolCallStatusInProgress, status)
		require.Contains(t, text, "is running in the background\n\n3 calls before these\n\n- `read: f3.go")
		require.Contains(t, text, "- `shell: make` · denied")
		require.Contains(t, text, "denied (1×) `shell: make` by nobody: nobody is there to ask")
		require.NotContains(t, text, "\x1b")

		l.happens("child", "c1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "## Found\n\n\tit"})
		synctest.Wait()
		status, text, times := l.cardTold("x")
		require.Equal(t, sdk.ToolCallStatusCompleted, status)
		require.True(t, strings.HasSuffix(text, "\n\n## Found\n\n\tit"), text)
		l.happens("child", "c1", lifecycle.NotificationQueued{})
		synctest.Wait()
		_, _, after := l.cardTold("x")
		require.Equal(t, times, after, "nothing new was to be told")
		l.close(lifecycle.CauseQuit)
	})
}

func TestEveryStateHasItsWordsOnACard(t *testing.T) {
	said := map[string]bool{}
	for _, state := range lifecycle.States() {
		line := lifecycle.Run{State: state}.Status().Words(lifecycle.ForPerson)
		require.NotContains(t, line, "_", "the machines' word")
		require.False(t, said[line], line)
		said[line] = true
		require.Equal(t, state == lifecycle.StateCompleted, cardStatus(state) == sdk.ToolCallStatusCompleted)
	}
}
