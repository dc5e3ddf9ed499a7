package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

// shell starts a command in the background.
func (s *screen) shell(name, command string) {
	s.log(root, "r1", lifecycle.ToolStarted{Call: lifecycle.CallID("call " + name), Tool: "shell", Label: command})
	s.log(lifecycle.SessionID(name), lifecycle.RunID("run "+name), lifecycle.Spawned{Spec: lifecycle.Spec{
		Kind: lifecycle.KindShell, Type: "shell", Root: root, Parent: root, ParentRun: "r1", Call: lifecycle.CallID("call " + name),
		Trigger: lifecycle.TriggerAgent, Description: name, Command: command, Background: true,
	}}, lifecycle.Started{})
}

// exited is the end of a command.
func exited(code int, output string) lifecycle.Ended {
	end := lifecycle.Ended{State: lifecycle.StateCompleted, Result: output, ExitCode: &code}
	if code != 0 {
		end.State = lifecycle.StateFailed
		end.Error = &lifecycle.Failure{Kind: lifecycle.FailProcess, Message: fmt.Sprintf("exit code %d", code)}
	}
	return end
}

func TestAShellsViewShowsItsOutputAndTakesNoMessage(t *testing.T) {
	s := newScreen(t, 100, 30)
	s.ask("go")
	s.shell("serve", "npm run dev")
	live := func(text string) {
		s.send(lifecycle.Updates{Progress: []lifecycle.Progress{{Session: "serve", Run: "run serve", Activity: "line", Text: text}}})
	}
	live("a long line that scrolls away\n**as it is**")
	s.keys("down", "enter")
	require.Contains(t, s.text(), "$ npm run dev")
	require.Contains(t, s.text(), "**as it is**")
	live("short")
	require.NotContains(t, s.text(), "scrolls away", "it is the newest, also where it is shorter")

	s.route.taken()
	s.typed("hello")
	require.Equal(t, "hello", s.line().Text)
	require.Equal(t, root, s.open, "what is typed there is for its agent")
	s.keys("ctrl+u", "tab", "enter")
	require.Contains(t, s.text(), string(noMessagesWords))
	require.Empty(t, s.route.taken())

	s.keys("esc")
	require.Contains(t, s.text(), "Esc again stops it")
	s.keys("esc")
	taken := s.route.taken()
	require.Equal(t, lifecycle.Stop{Session: "serve", Cause: lifecycle.CauseKey}, taken[len(taken)-1])
	s.end("serve", "run serve", exited(3, "the end of it"))
	require.Contains(t, s.text(), "the end of it")
	require.Contains(t, s.text(), "exit code 3")
}

func TestEscOnTheComposerLeavesAShellAlone(t *testing.T) {
	s := newScreen(t, 100, 30)
	s.ask("go")
	s.shell("serve", "npm run dev")
	s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
	s.route.taken()
	s.keys("esc")
	require.Contains(t, s.text(), "1 run goes on in the background")
	require.Empty(t, s.route.taken())
	s.keys("down", "x", "x")
	taken := s.route.taken()
	require.Equal(t, lifecycle.Stop{Session: "serve", Cause: lifecycle.CauseKey}, taken[len(taken)-1])
}

func TestASubagentIsToldOfItsShellInItsOwnView(t *testing.T) {
	s := newScreen(t, 100, 30)
	s.ask("go")
	s.delegate("audit", true)
	s.log("make", "run make", lifecycle.Spawned{Spec: lifecycle.Spec{
		Kind: lifecycle.KindShell, Type: "shell", Root: root, Parent: "audit", ParentRun: "run audit", Trigger: lifecycle.TriggerAgent,
		Description: "make all", Command: "make", Background: true,
	}}, lifecycle.Started{}, exited(0, "made"), lifecycle.NotificationQueued{})
	require.NotContains(t, s.text(), "with your next message", "it is not the parent's")
	s.log("audit", "run audit", lifecycle.StepStarted{Step: 2})
	s.log("make", "run make", lifecycle.NotificationDelivered{InRun: "run audit", Step: 2}, lifecycle.Consumed{By: lifecycle.ByNotification, InRun: "run audit"})
	const words = `Shell "make all" exit code 0 · delivered · step 2`
	require.NotContains(t, s.text(), words)
	s.keys("tab")
	require.Equal(t, 1, strings.Count(s.text(), words), s.text())
}

func TestAQuestionSaysThatACommandGoesToTheBackground(t *testing.T) {
	s := newScreen(t, 100, 30)
	s.ask("go")
	ask := func(id lifecycle.QuestionID, note string) {
		view := agent.EncodeView(agent.CommandView{Command: "npm run dev", Note: note})
		s.log(root, "r1", lifecycle.PermissionAsked{Question: lifecycle.Question{ID: id, Session: root, Run: "r1", Call: "c", Tool: "shell", Subject: "npm run dev", View: view}})
	}
	ask("q1", "")
	require.NotContains(t, s.text(), "in the background")
	s.log(root, "r1", lifecycle.PermissionGranted{Question: "q1"})
	ask("q2", "in the background")
	require.Contains(t, s.text(), "in the background")
}
