package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// threeLooks sends three subagents off that work until they are stopped.
func threeLooks(h heard) reply {
	switch {
	case !h.parent():
		return say("I look").until(make(chan struct{}))
	case len(h.notices()) > 0:
		return say("I have heard.")
	case h.answered("agent"):
		return say("They are on their way.")
	}
	return do(launch("first look", "look at one"), launch("second look", "look at two"), launch("third look", "look at three"))
}

// What a person stops one after another is one wake-up of the parent, which hears of each.
func TestThreeStopsByAPersonWakeTheParentOnce(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), threeLooks)
	x := s.open(t)
	x.prompt("send three")
	x.see("They are on their way.", "first look", "second look", "third look")
	for _, words := range []string{"look at one", "look at two", "look at three"} {
		s.server.await(t, fromChild(words))
	}
	x.rest()
	for i := range 3 {
		x.type_(keyTab)
		x.see([]string{"1 of 3", "2 of 3", "3 of 3"}[i])
		x.type_(keyCtrlC) // stops what is shown at once
	}
	h := s.server.await(t, func(h heard) bool { return h.parent() && len(h.notices()) > 0 })
	require.Len(t, h.notices(), 3, "one wake-up for all three")
	for _, notice := range h.notices() {
		require.Contains(t, notice, "<status>canceled_by_user</status>")
	}
	x.type_(keyLeft)
	x.see("I have heard.")
	require.Len(t, s.server.all(fromParent), 3)
	require.Equal(t, 0, x.quit())
	requireEachNoticeOnce(t, s.server, "first look", "second look", "third look")
}

// A program that stops them is no other person; when it hangs up right after, the parent
// still hears of it before the end.
func TestAProgramsStopsWakeTheParentOnceAlsoWhenItHangsUp(t *testing.T) {
	t.Parallel()
	for name, hangUp := range map[string]bool{"it stays": false, "it hangs up": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := set(t, chatProtocol(), threeLooks)
			p := s.partner(t)
			p.say(object{"type": "message", "text": "send three"})
			var agents []string
			for len(agents) < 3 {
				agents = append(agents, p.until("a subagent", func(l streamLine) bool { return l.Event == "spawned" && l.Data.Parent != "" }).Session)
			}
			for _, words := range []string{"look at one", "look at two", "look at three"} {
				s.server.await(t, fromChild(words))
			}
			p.until("the parent's end", func(l streamLine) bool { return l.Event == "ended" })
			for _, agent := range agents {
				p.say(object{"type": "stop", "session": agent, "id": agent})
			}
			if !hangUp {
				p.until("the delivery", func(l streamLine) bool { return l.Event == "notification_delivered" })
				p.idle()
			}
			r, code := p.hangsUp()
			require.Equal(t, 3, code, "its subagents were stopped by a person")
			require.Equal(t, "I have heard.", r.Output)
			told := s.server.all(func(h heard) bool { return h.parent() && len(h.notices()) > 0 })
			require.Len(t, told, 1)
			require.Len(t, told[0].notices(), 3)
		})
	}
}

// digger is a subagent that reports, and that runs a command when it is spoken to.
func digger(h heard) reply {
	switch {
	case !h.parent() && h.asked("now mark it"):
		return wantsShell(h)
	case !h.parent() && h.asked("and again"):
		return do(use("shell", object{"command": "touch again.txt"}))
	case !h.parent() && h.answered("shell"):
		return say("That was that.")
	case !h.parent():
		return say("The bottom is stone.")
	case len(h.notices()) > 0:
		return say("I have heard of an end.")
	case h.answered("agent"):
		return say("It is on its way.")
	}
	return do(launch("a dig", "dig"))
}

// Who speaks to a subagent is asked what it wants to do, as long as they look; its end
// wakes nobody, and that is told on the screen, also when the session is opened again.
func TestAPersonWhoSpeaksToASubagentIsAskedAndItsEndIsHeldBack(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), digger)
	x := s.open(t)
	x.prompt("send one")
	x.see("It is on its way.", "I have heard of an end.")
	x.rest()
	x.type_(keyTab)
	x.see("The bottom is stone.")
	x.prompt("now mark it")
	x.asked()
	x.type_("y")
	x.see("That was that.", "held back until you write")
	require.FileExists(t, s.dir+"/made.txt")
	x.type_(keyLeft)
	x.see("1 result is reported with your next message: you wrote to the subagent yourself", "held back until you write")
	require.Len(t, s.server.all(fromParent), 3, "the parent is not woken")
	require.Equal(t, 0, x.quit())

	x = s.open(t, "--continue")
	x.see("1 result is reported with your next message", "held back until you write")
	x.prompt("and?")
	h := s.server.await(t, parentAsked("and?"))
	require.Len(t, h.notices(), 2)
	x.seeNot("held back until you write")
	x.rest()
	require.Equal(t, 0, x.quit())
}

// Who has left is not asked any more.
func TestAPersonWhoLeavesASubagentIsNotAskedForIt(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		if !h.parent() && h.asked("and again") && !h.answered("shell") {
			return do(use("shell", object{"command": "touch again.txt"})).saying("I begin.").until(release)
		}
		return digger(h)
	})
	x := s.open(t)
	x.prompt("send one")
	x.see("It is on its way.", "I have heard of an end.")
	x.rest()
	x.type_(keyTab)
	x.see("The bottom is stone.")
	x.prompt("and again")
	x.see("I begin.")
	x.type_(keyLeft)
	x.see("1 running")
	x.prompt("hello") // by its answer the leaving is long over
	s.server.await(t, parentAsked("hello"))
	x.rest()
	close(release)
	x.see("1 denied", "held back until you write")
	require.NoFileExists(t, s.dir+"/again.txt")
	require.Equal(t, 0, x.quit())
}

// Nobody comes any more who could write to the parent: that is no reason to wait for them.
func TestWithoutAScreenWhatIsHeldBackKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	s := set(t, chatProtocol(), digger)
	p := s.partner(t)
	p.say(object{"type": "message", "text": "send one"})
	agent := p.until("a start", func(l streamLine) bool { return l.Event == "spawned" && l.Data.Parent != "" }).Session
	p.idle()
	p.say(object{"type": "message", "session": agent, "text": "now mark it", "id": "m"})
	asked := p.until("a question", func(l streamLine) bool { return l.Event == "permission_asked" })
	require.Equal(t, agent, asked.Session)
	p.say(object{"type": "answer", "question": asked.Data.Question, "answer": "once", "id": "y"})
	p.until("its end", func(l streamLine) bool { return l.Event == "ended" && l.Session == agent })
	p.idle()
	require.FileExists(t, s.dir+"/made.txt")
	r, code := p.hangsUp()
	require.Equal(t, 0, code)
	require.Len(t, s.server.all(fromParent), 3)
	_, errs, code := s.prompted(t, "--session", r.Session, "-p", "and?")
	require.Equal(t, 0, code, errs)
	require.Len(t, s.server.await(t, parentAsked("and?")).notices(), 2)
}
