package lifecycle

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestARewindIsRecordedWithWhatTheModelKeepsOfTheConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.close()
		first := st.say("go")
		synctest.Wait()
		rewound := Rewound{Operation: "o1", To: first.Seq, Prompt: "go", Conversation: true}
		require.NoError(t, st.s.RecordRewound(t.Context(), root, rewound, 0, "You were taken back."))
		last := st.journal.entries[len(st.journal.entries)-1]
		require.Equal(t, EntryRewind, last.Kind)
		var body Rewind
		require.NoError(t, json.Unmarshal(last.Body, &body))
		require.Equal(t, Rewind{Keep: 0, Text: "You were taken back."}, body)
		require.Equal(t, rewound, st.journal.records[len(st.journal.records)-1].Event)

		entries := len(st.journal.entries)
		require.NoError(t, st.s.RecordRewound(t.Context(), root, Rewound{Operation: "o2", To: first.Seq, Folder: "/src"}, 0, ""))
		require.Len(t, st.journal.entries, entries, "files alone leave the conversation as it is")
	})
}

func TestARewindOfFilesTellsTheModelAfterWhatWasSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		st.say("go")
		synctest.Wait()
		require.NoError(t, st.s.RecordRewound(t.Context(), root, Rewound{Operation: "o", To: 1, Folder: "/src"}, 0, "put back"))
		st.close()
		entry := st.journal.entries[len(st.journal.entries)-1]
		require.Equal(t, EntryUser, entry.Kind)
		var said Said
		require.NoError(t, json.Unmarshal(entry.Body, &said))
		require.Equal(t, Said{From: FromPawl, Text: "put back"}, said)
	})
}

func TestARewindIsRefusedWhileARunWorksOnWhatIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.close()
		over := make(chan struct{})
		st.on("slow", released(over))
		st.on("go", launching("slow"))
		st.say("go")
		synctest.Wait()
		files := Rewound{Operation: "o1", To: 1, Folder: "/src"}
		err := st.s.RecordRewound(t.Context(), root, files, 0, "")
		require.EqualError(t, err, `the subagent "slow" is at work here: wait until it has ended, or stop it first (x on its line)`)
		require.Equal(t, st.child("slow").ID, err.(*BusyError).Run.ID) //nolint:errorlint // it is not wrapped
		require.NoError(t, st.s.RecordRewound(t.Context(), root, Rewound{Operation: "o2", To: 1, Conversation: true}, 0, ""), "the conversation is not its")
		close(over)
		synctest.Wait()
		require.NoError(t, st.s.RecordRewound(t.Context(), root, files, 0, ""))
	})
}

func TestASubagentInAWorktreeKeepsNobodyFromTakingTheFolderBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.close()
		over := make(chan struct{})
		defer close(over)
		st.on("apart", released(over))
		st.on("go", func(_ context.Context, port *Port) Outcome {
			_, err := port.Step()
			require.NoError(t, err)
			require.NoError(t, port.Record(nil, ToolStarted{Call: "c1", Tool: "agent"}))
			_, err = port.Scope().Start(Spec{
				Call: "c1", Type: "general", Description: "apart", Prompt: "apart", Background: true, Isolation: IsolationWorktree, Folder: "/trees/1",
			}, "")
			require.NoError(t, err)
			require.NoError(t, answer(port, "c1"))
			return Outcome{Text: "ok"}
		})
		st.say("go")
		synctest.Wait()
		require.NoError(t, st.s.RecordRewound(t.Context(), root, Rewound{Operation: "o1", To: 1, Folder: "/src", Conversation: true}, 0, ""))
		var busy *BusyError
		err := st.s.RecordRewound(t.Context(), root, Rewound{Operation: "o2", To: 1, Folder: "/trees/1", Only: st.child("apart").Session}, 0, "")
		require.ErrorAs(t, err, &busy, "its own files are another matter")
	})
}
