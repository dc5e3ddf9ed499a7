package lifecycle

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestARewindOfTheConversationLeavesItsEntryAndItsRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		run := st.say("go")
		synctest.Wait()
		back := Rewound{Operation: "o", To: 1, Prompt: "go", Conversation: true, Folder: "/src"}
		require.NoError(t, st.s.RecordRewound(t.Context(), root, back, 0, "taken back"))
		st.close()
		last := st.journal.records[len(st.journal.records)-1]
		require.Equal(t, back, last.Event)
		require.Equal(t, run.ID, last.Run)
		entry := st.journal.entries[len(st.journal.entries)-1]
		require.Equal(t, EntryRewind, entry.Kind)
		var body Rewind
		require.NoError(t, json.Unmarshal(entry.Body, &body))
		require.Equal(t, Rewind{Keep: 0, Text: "taken back"}, body)
	})
}

func TestARewindOfFilesLeavesNoEntry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		st.say("go")
		synctest.Wait()
		before := len(st.journal.entries)
		require.NoError(t, st.s.RecordRewound(t.Context(), root, Rewound{Operation: "o", To: 1, Folder: "/src"}, 0, ""))
		st.close()
		require.Len(t, st.journal.entries, before)
	})
}

func TestARewindIsRefusedWhileARunWorksOnWhatIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		st.on("background", untilStopped)
		st.on("go", func(_ context.Context, port *Port) Outcome {
			if _, err := port.Step(); err != nil {
				return Outcome{Err: err}
			}
			_, err := launch(port, "background", true)
			return Outcome{Text: "started", Err: err}
		})
		st.on("busy", untilStopped)
		st.say("go")
		synctest.Wait()
		files, words := Rewound{Operation: "o", To: 1, Folder: "/src"}, Rewound{Operation: "p", To: 1, Conversation: true}
		var busy *BusyError
		require.ErrorAs(t, st.s.BusyWith(root, files), &busy)
		require.ErrorAs(t, st.s.RecordRewound(t.Context(), root, files, 0, ""), &busy)
		require.Equal(t, "background", busy.Run.Description)
		require.Contains(t, busy.Error(), `the subagent "background" is at work here`)
		require.NoError(t, st.s.BusyWith(root, words), "the conversation is the main agent's alone")
		st.say("busy")
		synctest.Wait()
		require.ErrorAs(t, st.s.BusyWith(root, words), &busy)
		require.Contains(t, busy.Error(), "the main agent is at work here")
		st.close()
	})
}

func TestARewindOfAnUnknownSessionIsRefused(t *testing.T) {
	st := newStage(t)
	require.ErrorIs(t, st.s.RecordRewound(t.Context(), root, Rewound{Operation: "o", To: 1}, 0, ""), ErrUnknown, "it has no run yet")
	require.ErrorIs(t, st.s.RecordRewound(t.Context(), "nobody", Rewound{Operation: "o", To: 1}, 0, ""), ErrUnknown)
	require.ErrorIs(t, st.s.BusyWith("nobody", Rewound{}), ErrUnknown)
	st.close()
}
