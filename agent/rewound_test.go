package agent

import (
	"encoding/json"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// spoken is a transcript as it is written.
type spoken []lifecycle.Entry

func (k *spoken) add(kind lifecycle.EntryKind, body any) {
	*k = append(*k, lifecycle.Entry{Session: root, Run: "r", Kind: kind, Body: encode(body)})
}

func (k *spoken) user(text string) int {
	k.add(lifecycle.EntryUser, lifecycle.Said{From: lifecycle.FromUser, Text: text})
	return len(*k) - 1
}

func (k *spoken) answer(text string) {
	k.add(lifecycle.EntryAssistant, assistantBody{Parts: []storedPart{{Text: text}}})
}

func (k *spoken) summary(text string) {
	k.add(lifecycle.EntrySummary, summaryBody{Text: summaryOpening + text, Words: text})
}

func (k *spoken) back(keep int, text string) int {
	k.add(lifecycle.EntryRewind, lifecycle.Rewind{Keep: keep, Text: text})
	return len(*k) - 1
}

func (k *spoken) texts(t *testing.T) (texts []string) {
	t.Helper()
	messages, err := Transcript(*k)
	require.NoError(t, err)
	for _, m := range messages {
		texts = append(texts, m.Text())
	}
	return texts
}

func TestARewindLeavesWhatWasSaidBeforeItsPoint(t *testing.T) {
	var k spoken
	k.user("one")
	k.answer("first")
	second := k.user("two")
	k.answer("second")
	k.back(second, "taken back")
	k.user("three")
	require.Equal(t, []string{"one", "first", "taken back", "three"}, k.texts(t))
	current, err := Current(k)
	require.NoError(t, err)
	require.Equal(t, []string{"one", "three"}, textsSaid(current))
}

func TestARewindOfARewindBringsBackWhatItTookBack(t *testing.T) {
	var k spoken
	k.user("one")
	k.answer("first")
	first := k.back(0, "all taken back")
	k.user("other")
	require.Equal(t, []string{"all taken back", "other"}, k.texts(t))
	third := k.back(first, "the rewind taken back")
	require.Equal(t, []string{"one", "first", "the rewind taken back"}, k.texts(t))
	k.user("two")
	k.back(third, "")
	require.Equal(t, []string{"all taken back", "other"}, k.texts(t), "and one that tells the model nothing")
}

func TestARewindToBeforeASummaryBringsBackWhatThatStoodFor(t *testing.T) {
	var k spoken
	k.user("one")
	k.answer("first")
	second := k.user("two")
	k.summary("in short")
	k.user("three")
	k.back(second, "")
	require.Equal(t, []string{"one", "first"}, k.texts(t))
	current, err := Current(k)
	require.NoError(t, err)
	_, found := lastSummary(current)
	require.False(t, found)
}

func TestARewindToBehindASummaryKeepsIt(t *testing.T) {
	var k spoken
	k.user("one")
	k.summary("in short")
	third := k.user("three")
	k.answer("third")
	k.back(third, "taken back")
	require.Equal(t, []string{summaryOpening + "in short", "taken back"}, k.texts(t))
	current, err := Current(k)
	require.NoError(t, err)
	words, found := lastSummary(current)
	require.True(t, found)
	require.Equal(t, "in short", words)
}

func TestNoRewindLeavesACallWithoutItsResult(t *testing.T) {
	var k spoken
	k.user("one")
	k.add(lifecycle.EntryAssistant, assistantBody{Parts: []storedPart{{Call: &storedCall{ID: "1", Name: "look", Input: "{}"}}}})
	k.add(lifecycle.EntryNotification, lifecycle.Notice{})
	second := k.user("two") // the process had died: the run of this prompt gives the result
	k = append(k, resultEntry(root, "r", CallResult{Call: "1", Name: "look", Text: "cut off"}))
	k.answer("second")
	k.back(second, "taken back")
	messages, err := Transcript(k)
	require.NoError(t, err)
	require.Empty(t, Unanswered(messages))
	require.Equal(t, []Role{RoleUser, RoleAssistant, RoleTool, RoleUser, RoleUser}, roles(messages))
}

func roles(messages []Message) (all []Role) {
	for _, m := range messages {
		all = append(all, m.Role)
	}
	return all
}

func TestARewindThatKeepsMoreThanThereIsIsRefused(t *testing.T) {
	var k spoken
	k.user("one")
	k.back(7, "")
	_, err := Transcript(k)
	require.EqualError(t, err, "read rewind entry of session root: it keeps 7 of 1 entries")
	k[1].Body = json.RawMessage("{")
	_, err = Transcript(k)
	require.Error(t, err)
}

func TestTheModelIsAskedWithoutWhatWasTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, says("first"), says("second"), says("third")).open()
		st.say("one")
		synctest.Wait()
		st.say("two")
		synctest.Wait()
		back := lifecycle.Rewound{Operation: "o", To: 1, Prompt: "two", Conversation: true}
		require.NoError(t, st.s.RecordRewound(t.Context(), root, back, 2, "taken back"))
		st.say("three")
		synctest.Wait()
		st.close()
		var texts []string
		for _, m := range st.model.requests()[2].Messages {
			texts = append(texts, m.Text())
		}
		require.Equal(t, []string{"one", "first", "taken back", "three"}, texts)
	})
}
