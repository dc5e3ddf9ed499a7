package lifecycle

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// endedRun is a run once it has ended.
func (st *stage) endedRun(run Run) Run {
	<-st.done(run.ID)
	return st.run(run.ID)
}

// changeOf is a change of one file.
func changeOf(path string) FilesChanged {
	return FilesChanged{By: ChangedByTool, Folder: "/src", Files: []FileChange{{Path: path, After: FileState{Kind: FileRegular, Hash: "00", Size: 1}}}}
}

// changesIn are the changes in the journal, with the runs that they stand on.
func changesIn(m *memory) (found []Record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, rec := range m.records {
		if _, is := rec.Event.(FilesChanged); is {
			found = append(found, rec)
		}
	}
	return found
}

func TestWhatACallChangedInFilesStandsInTheTransactionOfItsEnd(t *testing.T) {
	st := newStage(t)
	defer st.close()
	st.on("go", func(_ context.Context, port *Port) Outcome {
		_, err := port.Step()
		require.NoError(t, err)
		require.NoError(t, port.Record(nil, ToolStarted{Call: "c1", Tool: "write"}))
		st.journal.fails(1)
		changed := changeOf("a.go")
		entry := Entry{Session: root, Run: port.Run().ID, Kind: EntryToolResult, Call: "c1", Body: json.RawMessage(`{}`)}
		require.Error(t, port.Answered(entry, ToolEnded{Call: "c1", Tool: "write", Status: ToolOK}, &changed, nil))
		require.Empty(t, changesIn(st.journal), "neither without the other")
		st.journal.heals()
		require.NoError(t, port.Answered(entry, ToolEnded{Call: "c1", Tool: "write", Status: ToolOK}, &changed, nil))
		return Outcome{Text: "ok"}
	})
	run := st.endedRun(st.say("go"))
	found := changesIn(st.journal)
	require.Len(t, found, 1)
	want := changeOf("a.go")
	want.Call = "c1"
	require.Equal(t, want, found[0].Event)
	require.Equal(t, run.ID, found[0].Run)
	require.Equal(t, 1, run.Changed)
}

func TestWhatIsFoundChangedStandsOnItsRunAlsoAfterItsEnd(t *testing.T) {
	st := newStage(t)
	run := st.endedRun(st.say("go"))
	require.NoError(t, st.s.RecordFound(root, run.ID, changeOf("a.go")))
	require.ErrorIs(t, st.s.RecordFound(root, "another", changeOf("a.go")), ErrUnknown)
	require.ErrorIs(t, st.s.RecordFound("another", run.ID, changeOf("a.go")), ErrUnknown)
	st.close()
	st.open()
	defer st.close()
	require.NoError(t, st.s.RecordFound(root, run.ID, changeOf("b.go")))
	found := changesIn(st.journal)
	require.Len(t, found, 2)
	require.Equal(t, run.ID, found[1].Run)
	after := st.run(run.ID)
	require.Equal(t, 2, after.Changed)
	require.Equal(t, run.State, after.State)
	require.Equal(t, run.EndedAt, after.EndedAt)
}
