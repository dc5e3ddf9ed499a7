package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/exporttest"
	"pawl/lifecycle"
)

func TestBriefIsOnePage(t *testing.T) {
	s := exporttest.Plot(t)
	exporttest.Golden(t, "brief.md", inBrief(s))
	exporttest.Golden(t, "brief-empty.md", inBrief(exporttest.NewStory(t)))
	bad := exporttest.HostilePage(t)
	exporttest.RequireTame(t, inBrief(bad))
}

// crowd is a session of so many subagents, of which some fail, with more of everything
// than a page holds.
func crowd(t *testing.T, subagents int) *exporttest.Story {
	s := exporttest.NewStory(t)
	long := strings.Repeat("Many words about refunds. ", 40)
	s.Spawn(exporttest.Root, "r-p1", lifecycle.Spec{Trigger: lifecycle.TriggerUser, Prompt: long, From: lifecycle.FromUser}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
	for i := range 6 {
		id := lifecycle.MessageID(fmt.Sprint("m-", i))
		s.Add(exporttest.Root, "r-p1", lifecycle.MessageQueued{Message: lifecycle.Message{ID: id, From: lifecycle.FromUser, Text: long}},
			lifecycle.MessageTaken{Message: id, Step: 1, From: lifecycle.FromUser, Text: fmt.Sprint(i, long)})
	}
	for i := range subagents {
		session, id := lifecycle.SessionID(fmt.Sprint("s-", i)), lifecycle.RunID(fmt.Sprint("r-", i))
		end := lifecycle.Ended{State: lifecycle.StateCompleted, Result: long}
		if i%10 == 9 {
			end = lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailTool, Message: long}}
		}
		s.Spawn(session, id, exporttest.Child("c-1", "general", fmt.Sprint("part ", i), long, true), lifecycle.Started{}, exporttest.Usage(1000, 100),
			lifecycle.PermissionDenied{Tool: "shell", Subject: fmt.Sprint("make ", i), By: "nobody", Reason: long}, end, lifecycle.NotificationQueued{})
	}
	s.Add(exporttest.Root, "r-p1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: strings.Repeat(long+"\n\n", 10)})
	return s
}

func TestBriefOfManyRunsIsStillOnePage(t *testing.T) {
	for _, subagents := range []int{19, 60, 500} {
		out := string(inBrief(crowd(t, subagents)))
		require.LessOrEqual(t, strings.Count(out, "\n"), 60)
		require.Equal(t, min(20, subagents+1), strings.Count(out, "\n| P")+strings.Count(out, "\n| A"))
		exporttest.RequireTame(t, []byte(out))
	}
	out := string(inBrief(crowd(t, 60)))
	for i := 9; i < 60; i += 10 {
		require.Contains(t, out, fmt.Sprintf("`part %d`", i), "what did not complete comes before what did")
	}
	require.Contains(t, out, "| P1 | main agent |")
	require.Contains(t, out, "and 41 runs more: 41 completed; 45,100 tokens, $0.4510\n")
	require.Contains(t, out, "- and 3 prompts more\n")
	require.Contains(t, out, "- and 55 more\n")
	require.Contains(t, out, "(and more)\n")
}

func FuzzBrief(f *testing.F) {
	for _, one := range append(exporttest.Breakers, exporttest.Evil...) {
		f.Add(one)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := exporttest.Planting(t, text)
		exporttest.RequireTame(t, inBrief(s))
	})
}
