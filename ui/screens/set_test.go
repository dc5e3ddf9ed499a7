package screens

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

const root = lifecycle.SessionID("root")

type drafts = map[lifecycle.SessionID]string

func TestADraftThatIsSentTakesNoOtherScreensAlong(t *testing.T) {
	kept := drafts{root: "left over"}
	save := func(session lifecycle.SessionID, text string) { kept[session] = text }
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

func TestAMessageComesBackToOneScreen(t *testing.T) {
	set := New[*int]()
	one, _ := set.Join(nil)
	two, _ := set.Join(nil)
	two.Sent("m")
	require.False(t, one.TakesBack("m"))
	require.True(t, two.TakesBack("m"))
	one.Sent("n")
	one.Leave()
	three, _ := set.Join(nil)
	require.True(t, three.TakesBack("n"), "its sender is gone")
	require.False(t, two.TakesBack("n"))
	require.True(t, two.TakesBack("nobody's"))
	require.False(t, three.TakesBack("nobody's"))
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
