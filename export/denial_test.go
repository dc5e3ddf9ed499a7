package export

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export/exporttest"
	"pawl/export/formats"
	"pawl/lifecycle"
)

func TestADenialSaysWhoWhyAndWhetherItWasGrantedLater(t *testing.T) {
	s := exporttest.NewStory(t)
	no := func(subject string, by lifecycle.Decider) lifecycle.PermissionDenied {
		return lifecycle.PermissionDenied{Call: lifecycle.CallID("c-" + subject), Tool: "shell", Subject: subject, By: by, Reason: "why " + string(by)}
	}
	yes := func(subject string) lifecycle.PermissionGranted {
		return lifecycle.PermissionGranted{By: "person", Scope: lifecycle.GrantDenied, Tool: "shell", Subject: subject}
	}
	s.Spawn(exporttest.Root, "r1", lifecycle.Spec{Trigger: lifecycle.TriggerUser, Prompt: "go", From: lifecycle.FromUser}, lifecycle.Started{})
	s.Spawn("s", "r2", exporttest.Child("c", "general", "dig", "Dig.", true), lifecycle.Started{}, lifecycle.StepStarted{Step: 1},
		no("ls", "nobody"), yes("ls"), no("cat x", "nobody"), no("rm x", "rule"), no("cp x", "nobody"),
		lifecycle.Ended{State: lifecycle.StateCompleted, Result: "dug"})
	s.Spawn("s", "r3", exporttest.Child("c", "general", "dig", "The user now allows it.", true), yes("cat x"))
	md := string(printed(s, formats.Markdown, s.Upto()))
	_, table, _ := strings.Cut(md, "## What was denied\n")
	table, _, _ = strings.Cut(table, "\n## ")
	for subject, want := range map[string]string{
		"ls":    "`nobody` | `why nobody` | 2026-03-01T12:00:01.750Z, while it ran |",
		"cat x": "`nobody` | `why nobody` | 2026-03-01T12:00:03.250Z, with A1.2 |",
		"rm x":  "`rule` | `why rule` | no |",
		"cp x":  "`nobody` | `why nobody` | no |",
	} {
		require.Contains(t, table, "| A1.1 | `shell` | `"+subject+"` | "+want)
	}
	require.Contains(t, md, "permission_granted", "and the log has it")
	json := string(printed(s, formats.JSON, s.Upto()))
	require.Contains(t, json, `"lifted":[{"tool":"shell","subject":"cat x","at":`)
	require.Contains(t, json, `"subject":"ls","by":"nobody","reason":"why nobody","at":"2026-03-01T12:00:01.5Z","lifted_at":"2026-03-01T12:00:01.75Z"`)
}
