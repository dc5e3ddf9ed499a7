package host

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/models"
	"pawl/lifecycle"
	"pawl/ui"
	view "pawl/ui/fleet"
)

// lines are the lines of a new screen: what stands in it, and the way to type into it.
func lines(t *testing.T, session *app.Session) (standing string, typed func(text string)) {
	t.Helper()
	h := &screen{Session: session, kept: &keptMarks{session: session, screens: ui.NewScreens()}}
	var options ui.Options
	require.NoError(t, h.screenDrafts(t.Context(), &options))
	return options.Drafts[session.Root], func(text string) { require.NoError(t, options.SaveDraft(session.Root, text, nil)) }
}

// openIn opens a session in a folder: that one or, without an id, a new one.
func openIn(t *testing.T, w base.World, id string) *app.Session {
	t.Helper()
	w.Out = io.Discard
	opened, err := openScreen(t.Context(), w, app.Options{Model: models.Demo, Session: id})
	require.NoError(t, err)
	t.Cleanup(func() { opened.Close(lifecycle.CauseQuit) })
	return opened
}

func TestEachSessionOfAFolderKeepsWhatIsTypedToIt(t *testing.T) {
	t.Setenv("PAWL_HOME", t.TempDir())
	w := base.World{Folder: t.TempDir(), Environ: []string{"PAWL_DEMO_PACE=0"}, Err: io.Discard}
	one, two := openIn(t, w, promptAnswered(t, w)), openIn(t, w, promptAnswered(t, w))

	standing, toOne := lines(t, one)
	require.Empty(t, standing)
	toOne("foo")
	fresh := openIn(t, w, "")
	standing, toFresh := lines(t, fresh)
	require.Equal(t, "foo", standing, "it goes along to the next session")
	toFresh("")
	standing, _ = lines(t, openIn(t, w, ""))
	require.Empty(t, standing, "it was taken out of the line")
	standing, toOne = lines(t, one)
	require.Equal(t, "foo", standing, "nobody has touched it here")

	_, toTwo := lines(t, two)
	toTwo("bar")
	toOne("")
	standing, _ = lines(t, two)
	require.Equal(t, "bar", standing)
	standing, _ = lines(t, fresh)
	require.Equal(t, "bar", standing, "the other one has cleared its own line, not this")
	standing, _ = lines(t, one)
	require.Equal(t, "bar", standing, "it has nothing of its own any more")
}

func TestWhatAnOlderPawlKeptOfAFolderIsStillInTheLine(t *testing.T) {
	t.Setenv("PAWL_HOME", t.TempDir())
	w := base.World{Folder: t.TempDir(), Environ: []string{"PAWL_DEMO_PACE=0"}, Err: io.Discard}
	one := openIn(t, w, promptAnswered(t, w))
	require.NoError(t, one.Store.SetFact(t.Context(), "draft:"+w.Folder, "from before"))
	standing, typed := lines(t, one)
	require.Equal(t, "from before", standing)
	typed("")
	left, err := one.Store.Fact(t.Context(), "draft:"+w.Folder)
	require.NoError(t, err)
	require.Empty(t, left)
}

// typedInFleet is what is kept of what was typed on the screen of all sessions.
func typedInFleet(t *testing.T, l *sessionList) map[lifecycle.SessionID]string {
	t.Helper()
	drafts, err := openKept[string](t.Context(), l.Store, fleetDrafts)
	require.NoError(t, err)
	return drafts.now()
}

func TestScreensOverAllSessionsTakeNoDraftsFromEachOther(t *testing.T) {
	t.Setenv("PAWL_HOME", t.TempDir())
	w := base.World{Folder: t.TempDir(), Environ: []string{"PAWL_DEMO_PACE=0"}, Err: io.Discard}
	l := &sessionList{Base: openIn(t, w, "").Base}
	type drafts = map[lifecycle.SessionID]string
	leaves := func(before, typed drafts) { l.keepDrafts(t.Context(), before, view.Ending{Drafts: typed}) }
	leaves(nil, drafts{"sent": "go on", "kept": "later"})
	before := typedInFleet(t, l)
	leaves(before, drafts{"sent": "go on", "kept": "later", "one": "of the first"})
	leaves(before, drafts{"kept": "later", "two": "of the second"})
	leaves(before, before)
	require.Equal(t, drafts{"kept": "later", "one": "of the first", "two": "of the second"}, typedInFleet(t, l))
}

func TestWhatWasTypedToASessionInTheFleetStandsInItsLineAlone(t *testing.T) {
	t.Setenv("PAWL_HOME", t.TempDir())
	w := base.World{Folder: t.TempDir(), Environ: []string{"PAWL_DEMO_PACE=0"}, Err: io.Discard}
	one, two := openIn(t, w, promptAnswered(t, w)), openIn(t, w, promptAnswered(t, w))
	l := &sessionList{Base: one.Base}
	_, toTwo := lines(t, two)
	toTwo("bar")
	attaches := func(text string) {
		l.keepDrafts(t.Context(), nil, view.Ending{Attach: one.Root, Drafts: map[lifecycle.SessionID]string{one.Root: text}})
	}
	attaches("from the fleet")
	require.Empty(t, typedInFleet(t, l))
	standing, _ := lines(t, one)
	require.Equal(t, "from the fleet", standing)
	standing, _ = lines(t, two)
	require.Equal(t, "bar", standing)
	_, toOne := lines(t, one)
	toOne("")
	attaches("more from the fleet")
	toOne("typed here") // on a screen that has shown the session all along
	standing, _ = lines(t, one)
	require.Equal(t, "more from the fleet\ntyped here", standing)
	attaches("again")
	require.Equal(t, "again", typedInFleet(t, l)[one.Root], "there is a text in its line")
}
