package agent

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// wish asks for a summary, as a person does.
func (st *stage) wish(instructions string) lifecycle.Run {
	st.do(lifecycle.Compact{Session: root, Instructions: instructions})
	synctest.Wait()
	return st.last()
}

func TestAWishIsARunThatSumsUpWithItsInstructionsAndSaysWhatItDid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := filling(t, 10, says("found it"), paying(700, says("the words")), says("and on"))
		st.played("look into it")
		run := st.wish("keep the SQL parts")
		defer st.close()
		require.Equal(t, lifecycle.StateCompleted, run.State)
		require.Zero(t, run.Step)
		require.Equal(t, int64(700), run.Usage.Tokens())
		done := st.summaries()[0]
		require.Regexp(t, `^Compacted 2,0\d\d tokens to \d+\.$`, run.Result)
		order := st.model.requests()[2].Messages
		require.Equal(t, compactPrompt+"\nThe user asks of this summary: keep the SQL parts\n", order[len(order)-1].Text())
		text := st.transcript()[0].Text()
		require.Len(t, st.transcript(), 1)
		require.NotContains(t, text, "in the middle of your work", "nobody asked it to go on")
		require.NotContains(t, text, "SQL parts", "what was wished stands in no transcript")
		require.Less(t, done.After, done.Before)
		st.say("go on")
		synctest.Wait()
		require.Equal(t, []Message{Say(text), Say("go on")}, st.model.requests()[3].Messages)
	})
}

func TestAWishWithNothingToSumUpAsksNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := filling(t, 10, says("found it"), says("the words"))
		st.played("look into it")
		st.wish("")
		again := st.wish("")
		defer st.close()
		require.Equal(t, lifecycle.StateCompleted, again.State)
		require.Equal(t, "There is nothing to summarize yet.", again.Result)
		require.Len(t, st.summaries(), 1)
		require.Len(t, st.model.requests(), 3)
	})
}

func TestAConversationShorterThanItsSummaryStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, says("hello"), paying(50, says("They said hello.")))
		st.played("hi")
		run := st.wish("")
		defer st.close()
		require.Equal(t, "Nothing was replaced: a summary would be no shorter than the conversation (4 tokens).", run.Result)
		require.Equal(t, int64(50), run.Usage.Tokens(), "what it cost is counted all the same")
		require.Len(t, st.transcript(), 2)
		require.Empty(t, st.summaries())
	})
}

func TestAWishSpendsNothingBeyondTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := filling(t, 10, paying(200, says("found it")))
		st.budget.Session.Tokens = 150
		st.played("look into it")
		run := st.wish("")
		defer st.close()
		require.Equal(t, lifecycle.FailBudget, run.Error.Kind)
		require.Len(t, st.model.requests(), 2)
	})
}

func TestASummaryAfterASummaryKeepsWhatWasSaidBeforeBoth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := filling(t, 10, says("found it"), says("the first words"), says("much more: "+pages(3000)), refusing(errTooMuch), refusing(errTooMuch), refusing(errTooMuch))
		st.played("never touch go.mod")
		st.wish("")
		st.say("and the tests?")
		synctest.Wait()
		st.wish("")
		defer st.close()
		require.Len(t, st.summaries(), 2)
		text := st.transcript()[0].Text()
		require.Contains(t, text, "The summary before this one:\n\nthe first words")
		require.Contains(t, text, "<message>\nnever touch go.mod\n</message>\n<message>\nand the tests?\n</message>")
		require.Equal(t, 1, strings.Count(text, "# Summary"), "no summary stands in another")
	})
}

func TestTheNewestMessageIsKeptWhateverItsLengthAndOlderOnesWhileThereIsRoom(t *testing.T) {
	long := strings.Repeat("long ", 3000)
	turn := &activeRun{userTexts: []string{"the oldest", strings.Repeat("x", 5000), strings.Repeat("y", 5000), "short", long}}
	require.Equal(t, quoted(long), turn.said(nil), "it takes all the room of the others")
	require.Equal(t, quoted(strings.Repeat("y", 5000))+"\n"+quoted("short"), turn.said([]string{long}), "what is stated elsewhere is left out")
	turn.userTexts = []string{strings.Repeat("word ", 20_000)}
	require.Less(t, len(turn.said(nil)), maxPiece+100)
}

func TestARunWithoutAScopeHasNoListOfRuns(t *testing.T) {
	require.Empty(t, (&activeRun{port: scopeless{}}).openRuns())
}

// scopeless is the port of a process of its own.
type scopeless struct{ Port }

func (scopeless) Scope() *lifecycle.Scope { return nil }
