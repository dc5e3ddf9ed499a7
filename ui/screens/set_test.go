package screens

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

const root = lifecycle.SessionID("root")

type drafts = map[lifecycle.SessionID]string

func TestADraftThatIsSentTakesNoOtherScreensAlong(t *testing.T) {
	kept := drafts{root: "left over"}
	save := func(session lifecycle.SessionID, text string, _ []lifecycle.MessageID) error {
		kept[session] = text
		return nil
	}
	set := New[*int]()
	one, begins := set.Join(drafts{root: "left over"})
	require.Equal(t, drafts{root: "left over"}, begins)
	two, begins := set.Join(kept)
	require.Empty(t, begins, "it stands in the first one's line")
	two.Put(drafts{root: "mine"})
	two.Save(save)
	require.Equal(t, "left over\nmine", kept[root])
	two.Put(drafts{root: ""})
	two.Save(save)
	require.Equal(t, "left over", kept[root])
	one.Put(drafts{root: "more"})
	one.Save(save)
	one.Leave()
	require.Equal(t, "more", kept[root])
	_, begins = set.Join(kept)
	require.Equal(t, drafts{root: "more"}, begins, "who is gone has nothing in a line")
	two.Leave()
}

func TestAllThatHaveLeftIsForTheNext(t *testing.T) {
	set := New[*int]()
	one, _ := set.Join(nil)
	two, _ := set.Join(nil)
	three, _ := set.Join(nil)
	one.Put(drafts{root: "one"})
	two.Put(drafts{root: "two"})
	one.Leave()
	two.Leave()
	_, begins := set.Join(nil)
	require.Equal(t, drafts{root: "one\ntwo"}, begins)
	three.Leave()
}

func TestADraftFromElsewhereIsForTheNextScreen(t *testing.T) {
	set := New[*int]()
	set.Add(root, "kept")
	one, begins := set.Join(drafts{root: "kept"})
	require.Equal(t, drafts{root: "kept"}, begins, "it is among the drafts")
	set.Add(root, "from elsewhere")
	kept := drafts{}
	one.Put(drafts{root: "kept, and more"})
	one.Save(func(session lifecycle.SessionID, text string, _ []lifecycle.MessageID) error {
		kept[session] = text
		return nil
	})
	require.Equal(t, drafts{root: "from elsewhere\nkept, and more"}, kept)
	_, begins = set.Join(kept)
	require.Equal(t, drafts{root: "from elsewhere"}, begins, "the rest stands in the first one's line")
	one.Leave()
}

func TestAMessageComesBackToOneScreen(t *testing.T) {
	set := New[*int]()
	one, _ := set.Join(nil)
	two, _ := set.Join(nil)
	two.Sent("m")
	require.False(t, one.TakesBack(root, "m"))
	require.True(t, two.TakesBack(root, "m"))
	one.Sent("n")
	one.Leave()
	three, _ := set.Join(nil)
	require.True(t, three.TakesBack(root, "n"), "its sender is gone")
	require.False(t, two.TakesBack(root, "n"))
	require.True(t, two.TakesBack(root, "nobody's"))
	require.False(t, three.TakesBack(root, "nobody's"))
}

// Sent once more, it would be given back once more at the next start.
func TestAMessageThatCameBackIsSettledEvenIfTheDraftCouldNotBeSavedAtFirst(t *testing.T) {
	var back []lifecycle.MessageID
	set := New[*int]()
	one, _ := set.Join(nil)
	require.True(t, one.TakesBack(root, "m"))
	one.Put(drafts{root: "m"})
	one.Save(func(lifecycle.SessionID, string, []lifecycle.MessageID) error {
		return errors.New("no space left on device")
	})
	require.True(t, one.TakesBack(root, "n"))
	one.Put(nil)
	one.Save(func(_ lifecycle.SessionID, text string, settled []lifecycle.MessageID) error {
		back = settled
		require.Equal(t, "m", text)
		return nil
	})
	require.Equal(t, []lifecycle.MessageID{"m", "n"}, back)
}

func TestAMessageThatCameBackIsGivenOnce(t *testing.T) {
	var back []lifecycle.MessageID
	save := func(_ lifecycle.SessionID, _ string, settled []lifecycle.MessageID) error {
		back = append(back, settled...)
		return nil
	}
	set := New[*int]()
	one, _ := set.Join(nil)
	require.True(t, one.TakesBack(root, "m"))
	require.False(t, one.TakesBack(root, "m"), "its line has it")
	one.Save(save)
	one.Leave()
	require.Empty(t, back, "no line that holds it was put")

	two, _ := set.Join(nil)
	require.True(t, two.TakesBack(root, "m"), "it was in no line that anybody kept")
	two.Put(drafts{root: "m"})
	two.Save(save)
	require.Equal(t, []lifecycle.MessageID{"m"}, back)
	require.True(t, two.TakesBack("child", "n"))
	two.Put(nil)
	two.Save(save)
	require.Equal(t, []lifecycle.MessageID{"m", "n"}, back, "an equal text stood in the line already")
	two.Save(save)
	require.Len(t, back, 2)
	two.Leave()
	three, _ := set.Join(nil)
	require.False(t, three.TakesBack(root, "m"))
	require.False(t, three.TakesBack("child", "n"))
}

func TestOfNewsTheNewestCountsAndItsTellerHearsNone(t *testing.T) {
	set := New[*int]()
	one, _ := set.Join(nil)
	two, _ := set.Join(nil)
	for i := range 1000 {
		one.Tell("mode", func(n *int) { *n = i })
	}
	require.Empty(t, one.Bell())
	require.Empty(t, one.News())
	<-two.Bell()
	news, n := two.News(), 0
	require.Len(t, news, 1)
	news[0](&n)
	require.Equal(t, 999, n)
	set.Tell("mode", func(n *int) { *n = -1 })
	<-one.Bell()
	require.Len(t, one.News(), 1)
}
