package stories

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// threeLooks sends three subagents off that work until they are stopped.
func threeLooks(h modeltest.Request) modeltest.Reply {
	switch {
	case !h.Parent():
		return modeltest.Say("I look").Until(make(chan struct{}))
	case len(h.Notices()) > 0:
		return modeltest.Say("I have heard.")
	case h.Answered("agent"):
		return modeltest.Say("They are on their way.")
	}
	return modeltest.Do(modeltest.Launch("first look", "look at one"), modeltest.Launch("second look", "look at two"), modeltest.Launch("third look", "look at three"))
}

// What a person stops one after another is one wake-up of the parent, which hears of each.
func TestThreeStopsByAPersonWakeTheParentOnce(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), threeLooks)
	x := s.Open(t)
	x.Prompt("send three")
	x.See("They are on their way.", "first look", "second look", "third look")
	for _, words := range []string{"look at one", "look at two", "look at three"} {
		s.Server.Await(t, modeltest.FromChild(words))
	}
	x.Rest()
	for range 3 { // with no look between them: what is stopped 3 s later is told apart
		x.Type(harness.KeyTab, harness.KeyCtrlC) // stops what is shown at once
	}
	x.See("3 of 3")
	h := s.Server.Await(t, func(h modeltest.Request) bool { return h.Parent() && len(h.Notices()) > 0 })
	require.Len(t, h.Notices(), 3, "one wake-up for all three")
	for _, notice := range h.Notices() {
		require.Contains(t, notice, "<status>canceled_by_user</status>")
	}
	x.Type(harness.KeyLeft)
	x.See("I have heard.")
	require.Len(t, s.Server.All(modeltest.FromParent), 3)
	require.Equal(t, 0, x.Quit())
	requireEachNoticeOnce(t, s.Server, "first look", "second look", "third look")
}

// A program that stops them is no other person; when it hangs up right after, the parent
// still hears of it before the end.
func TestAProgramsStopsWakeTheParentOnceAlsoWhenItHangsUp(t *testing.T) {
	t.Parallel()
	for name, hangUp := range map[string]bool{"it stays": false, "it hangs up": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := harness.NewStage(t, modeltest.Chat(), threeLooks)
			p := newPartner(t, s)
			p.say(modeltest.Object{"type": "message", "text": "send three"})
			var agents []string
			for len(agents) < 3 {
				agents = append(agents, p.until("a subagent", func(l streamLine) bool { return l.Event == "spawned" && l.Data.Parent != "" }).Session)
			}
			for _, words := range []string{"look at one", "look at two", "look at three"} {
				s.Server.Await(t, modeltest.FromChild(words))
			}
			p.until("the parent's end", func(l streamLine) bool { return l.Event == "ended" })
			for _, agent := range agents {
				p.say(modeltest.Object{"type": "stop", "session": agent, "id": agent})
			}
			if !hangUp {
				p.until("the delivery", func(l streamLine) bool { return l.Event == "notification_delivered" })
				p.idle()
			}
			r, code := p.hangsUp()
			require.Equal(t, 3, code, "its subagents were stopped by a person")
			require.Equal(t, "I have heard.", r.Output)
			told := s.Server.All(func(h modeltest.Request) bool { return h.Parent() && len(h.Notices()) > 0 })
			require.Len(t, told, 1)
			require.Len(t, told[0].Notices(), 3)
		})
	}
}

// digger is the script of a subagent that reports, and that runs a command when it is spoken to.
// It reports once its parent has asked again: of an end before that the parent would hear at once.
func digger() func(modeltest.Request) modeltest.Reply {
	asked := make(chan struct{})
	again := sync.OnceFunc(func() { close(asked) })
	return func(h modeltest.Request) modeltest.Reply {
		switch {
		case !h.Parent() && h.Asked("now mark it"):
			return wantsShell(h)
		case !h.Parent() && h.Asked("and again"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "touch again.txt"}))
		case !h.Parent() && h.Answered("shell"):
			return modeltest.Say("That was that.")
		case !h.Parent():
			return modeltest.Say("The bottom is stone.").Until(asked)
		case len(h.Notices()) > 0:
			return modeltest.Say("I have heard of an end.")
		case h.Answered("agent"):
			again()
			return modeltest.Say("It is on its way.")
		}
		return modeltest.Do(modeltest.Launch("a dig", "dig"))
	}
}

// Who speaks to a subagent is asked what it wants to do, as long as they look; its end
// wakes nobody, and that is told on the screen, also when the session is opened again.
func TestAPersonWhoSpeaksToASubagentIsAskedAndItsEndIsHeldBack(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), digger())
	x := s.Open(t)
	x.Prompt("send one")
	x.See("It is on its way.", "I have heard of an end.")
	x.Rest()
	x.Type(harness.KeyTab)
	x.See("The bottom is stone.")
	x.Prompt("now mark it")
	x.Asked()
	x.Type("y")
	x.See("That was that.", "held back until you write")
	require.FileExists(t, s.Dir+"/made.txt")
	x.Type(harness.KeyLeft)
	x.See("1 result is reported with your next message: you wrote to the subagent yourself", "held back until you write")
	require.Len(t, s.Server.All(modeltest.FromParent), 3, "the parent is not woken")
	require.Equal(t, 0, x.Quit())

	x = s.Open(t, "--continue")
	x.See("1 result is reported with your next message", "held back until you write")
	x.Prompt("and?")
	h := s.Server.Await(t, modeltest.ParentAsked("and?"))
	require.Len(t, h.Notices(), 2)
	x.SeeNot("held back until you write")
	x.Rest()
	require.Equal(t, 0, x.Quit())
}

// Who has left is not asked any more.
func TestAPersonWhoLeavesASubagentIsNotAskedForIt(t *testing.T) {
	t.Parallel()
	release, dig := make(chan struct{}), digger()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if !h.Parent() && h.Asked("and again") && !h.Answered("shell") {
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "touch again.txt"})).Saying("I begin.").Until(release)
		}
		return dig(h)
	})
	x := s.Open(t)
	x.Prompt("send one")
	x.See("I have heard of an end.")
	x.Rest()
	x.Type(harness.KeyTab)
	x.See("The bottom is stone.")
	x.Prompt("and again")
	x.See("I begin.")
	x.Type(harness.KeyLeft)
	x.See("1 works")
	x.Prompt("hello") // by its answer the leaving is long over
	s.Server.Await(t, modeltest.ParentAsked("hello"))
	x.Rest()
	close(release)
	x.See("1 denied", "held back until you write")
	require.NoFileExists(t, s.Dir+"/again.txt")
	require.Equal(t, 0, x.Quit())
}

// Nobody comes any more who could write to the parent: that is no reason to wait for them.
func TestWithoutAScreenWhatIsHeldBackKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Chat(), digger())
	p := newPartner(t, s)
	p.say(modeltest.Object{"type": "message", "text": "send one"})
	agent := p.until("a start", func(l streamLine) bool { return l.Event == "spawned" && l.Data.Parent != "" }).Session
	p.idle()
	p.say(modeltest.Object{"type": "message", "session": agent, "text": "now mark it", "id": "m"})
	asked := p.until("a question", func(l streamLine) bool { return l.Event == "permission_asked" })
	require.Equal(t, agent, asked.Session)
	p.say(modeltest.Object{"type": "answer", "question": asked.Data.Question, "answer": "once", "id": "y"})
	p.until("its end", func(l streamLine) bool { return l.Event == "ended" && l.Session == agent })
	p.idle()
	require.FileExists(t, s.Dir+"/made.txt")
	r, code := p.hangsUp()
	require.Equal(t, 0, code)
	require.Len(t, s.Server.All(modeltest.FromParent), 3)
	_, errs, code := s.Prompted(t, "--session", r.Session, "-p", "and?")
	require.Equal(t, 0, code, errs)
	require.Len(t, s.Server.Await(t, modeltest.ParentAsked("and?")).Notices(), 2)
}
