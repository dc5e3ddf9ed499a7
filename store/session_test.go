package store

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/words"
	lc "pawl/lifecycle"
)

func TestASessionIsListedFromItsFirstRun(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	s = reopen(t, s)
	last := j.records[len(j.records)-1].Time
	root := SessionInfo{
		ID: j.root, Root: j.root, Title: "Audit the refunds", Folder: "/src", Model: "demo",
		Created: j.records[0].Time, Updated: last, Runs: 1, Unread: 1,
	}
	infos, err := s.Sessions(t.Context(), Filter{RootsOnly: true})
	require.NoError(t, err)
	require.Equal(t, []SessionInfo{root}, infos)

	info, err := s.Session(t.Context(), string(j.session("d")))
	require.NoError(t, err)
	require.Equal(t, SessionInfo{
		ID: j.session("d"), Root: j.root, Parent: j.root, Type: "explore", Title: "look at d", Folder: "/src", Model: "demo-small",
		Created: j.records[len(j.records)-2].Time, Updated: last, Runs: 1,
	}, info)
}

func TestSessionsAreListedAsTheyMovedLast(t *testing.T) {
	s := open(t, file(t))
	one, two := newJournal(t, "one").parent().into(s), newJournal(t, "two").parent().into(s)
	for range 3 {
		one.mark("one", one.id("p1"), lc.StepStarted{Step: 1}).into(s)
	}
	two.child("a").into(s)
	s = reopen(t, s)
	list := func(filter Filter) (ids []lc.SessionID) {
		infos, err := s.Sessions(t.Context(), filter)
		require.NoError(t, err)
		for _, info := range infos {
			ids = append(ids, info.ID)
		}
		return ids
	}
	require.Equal(t, []lc.SessionID{"one", "two/a", "two"}, list(Filter{}))
	require.Equal(t, []lc.SessionID{"one", "two"}, list(Filter{RootsOnly: true}))
	require.Equal(t, []lc.SessionID{"one"}, list(Filter{RootsOnly: true, Limit: 1}))
	require.Equal(t, []lc.SessionID{"one", "two"}, list(Filter{RootsOnly: true, Folder: "/src"}))
	require.Empty(t, list(Filter{Folder: "/elsewhere"}))

	for range 3 {
		two.mark("two/a", two.id("a"), lc.StepStarted{Step: 1}).into(s)
	}
	require.Equal(t, []lc.SessionID{"two/a", "two", "one"}, list(Filter{}), "a root moves with its subagents")
}

func TestASessionKeepsItsTitleAndTakesTheNewestModel(t *testing.T) {
	s := open(t, file(t))
	j := newJournal(t, "root").parent().mark("root", "root/run/p1", lc.Ended{State: lc.StateCompleted, Result: "done"}).into(s)
	for _, model := range []string{"anthropic/new", ""} {
		spec := lc.Spec{Root: "root", Trigger: lc.TriggerUser, Prompt: "Now the taxes", Model: model, Folder: "/other"}
		j.mark("root", lc.NewRunID(), lc.Spawned{Spec: spec}).into(s)
	}
	s = reopen(t, s)
	info, err := s.Session(t.Context(), "root")
	require.NoError(t, err)
	require.Equal(t, [...]string{"Audit the refunds", "/src", "anthropic/new"}, [...]string{info.Title, info.Folder, info.Model})
	require.Equal(t, 3, info.Runs)
	model, err := s.LastModel(t.Context())
	require.NoError(t, err)
	require.Equal(t, "anthropic/new", model)
}

func TestASessionMayBeginWithACommandOfItsUsers(t *testing.T) {
	s := open(t, file(t))
	j := newJournal(t, "root")
	own := lc.Spec{Kind: lc.KindShell, Type: "shell", Root: "root", Parent: "root", Trigger: lc.TriggerUser, From: lc.FromUser, Folder: "/src", Command: "ls", Description: "ls", Background: true}
	j.mark("root/ls", j.id("ls"), lc.Spawned{Spec: own})
	j.mark("root/ls", j.id("ls"), lc.Started{})
	j.mark("root/ls", j.id("ls"), lc.Ended{State: lc.StateCompleted, Result: "a.txt"})
	j.mark("root/ls", j.id("ls"), lc.NotificationQueued{}).into(s)
	s = reopen(t, s)
	first := j.records[0].Time
	begun := SessionInfo{ID: "root", Root: "root", Title: "!ls", Folder: "/src", Created: first, Updated: j.records[3].Time}
	info, err := s.Session(t.Context(), "root")
	require.NoError(t, err)
	require.Equal(t, begun, info, "what the user ran is not unread")

	prompt := lc.Spec{Root: "root", Type: "general", Trigger: lc.TriggerUser, From: lc.FromUser, Folder: "/src", Model: "demo", Prompt: "Audit"}
	j.mark("root", j.id("p"), lc.Spawned{Spec: prompt}).into(s)
	begun.Type, begun.Title, begun.Model, begun.Runs, begun.Updated = "general", "Audit", "demo", 1, j.records[4].Time
	info, err = s.Session(t.Context(), "root")
	require.NoError(t, err)
	require.Equal(t, begun, info)
}

func TestTitle(t *testing.T) {
	for _, test := range []struct {
		spec lc.Spec
		want string
	}{
		{lc.Spec{Prompt: "\n  Fix it  \nplease"}, "Fix it"},
		{lc.Spec{Prompt: "long", Description: "short words"}, "short words"},
		{lc.Spec{Prompt: strings.Repeat("ä", 80)}, strings.Repeat("ä", 80)},
		{lc.Spec{Prompt: strings.Repeat("ä", 81)}, strings.Repeat("ä", 79) + "…"},
		{lc.Spec{}, ""},
	} {
		require.Equal(t, test.want, title(test.spec))
	}
}

func TestASessionIsFoundByHowItsIDBeginsOrEnds(t *testing.T) {
	s := open(t, file(t))
	for _, root := range []lc.SessionID{"0198aaaa-1111-7000-8000-00000000beef", "0198aaab-2222-7000-8000-00000000cafe", "0198bbbb-3333-7000-8000-0000000100%_"} {
		newJournal(t, root).parent().into(s)
	}
	newJournal(t, "0198bbbb-3333-7000-8000-0000000100%_").seq = 2
	s = reopen(t, s)
	for name, want := range map[string]string{
		"0198aaaa-1111-7000-8000-00000000beef": "beef", "0198aaaa": "beef", "BEEF": "beef", "…beef": "beef", "...cafe": "cafe", " cafe\n": "cafe", "0198aaab-2": "cafe", "%_": "%_", "0198b": "%_",
	} {
		info, err := s.Session(t.Context(), name)
		require.NoError(t, err, name)
		require.True(t, strings.HasSuffix(string(info.ID), want), name)
	}

	_, err := s.Session(t.Context(), "0198aaa")
	require.ErrorIs(t, err, ErrAmbiguous)
	require.ErrorContains(t, err, `session "0198aaa" could be 0198aaa`)
	require.ErrorContains(t, err, "cafe")
	_, err = s.Session(t.Context(), "beaf")
	require.ErrorIs(t, err, ErrUnknown)
	require.ErrorContains(t, err, `no session "beaf": the nearest is 0198aaaa-1111-7000-8000-00000000beef ("Audit the refunds")`)
	_, err = s.Session(t.Context(), "%")
	require.ErrorIs(t, err, ErrUnknown, "it is a letter, no pattern")
	_, err = s.Session(t.Context(), " ")
	require.ErrorIs(t, err, ErrUnknown)
}

func TestARootGoesBeforeItsOwnSubagents(t *testing.T) {
	s := open(t, file(t))
	newJournal(t, "0198aaaa").parent().child("x").into(s)
	info, err := s.Session(t.Context(), "0198")
	require.NoError(t, err)
	require.Equal(t, lc.SessionID("0198aaaa"), info.ID)
	newJournal(t, "0198bbbb").parent().into(s)
	_, err = s.Session(t.Context(), "0198")
	require.ErrorIs(t, err, ErrAmbiguous)
}

func TestNoSessionsYet(t *testing.T) {
	s := open(t, file(t))
	_, err := s.Session(t.Context(), "beef")
	require.ErrorIs(t, err, ErrUnknown)
	require.ErrorContains(t, err, "there are none yet")
}

func TestSlips(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "ab", 1}, {"kitten", "sitting", 3}, {"", "xyz", 3}} {
		require.Equal(t, test.want, words.Edits(test.a, test.b), "%s %s", test.a, test.b)
		require.Equal(t, test.want, words.Edits(test.b, test.a))
	}
}

func TestFactsAreRemembered(t *testing.T) {
	s := open(t, file(t))
	value, err := s.Fact(t.Context(), "theme")
	require.NoError(t, err)
	require.Empty(t, value)
	for _, value := range []string{"dark", "light"} {
		require.NoError(t, s.SetFact(t.Context(), "theme", value))
		s = reopen(t, s)
		got, err := s.Fact(t.Context(), "theme")
		require.NoError(t, err)
		require.Equal(t, value, got)
	}
}

func TestRemoveLeavesNothingOfASession(t *testing.T) {
	path := file(t)
	s := open(t, path)
	gone, kept := story(t, s), story(t, s)
	before := counts(t, s)
	require.ErrorIs(t, s.Remove(t.Context(), gone.session("a")), ErrUnknown, "a subagent goes with its root")
	require.ErrorIs(t, s.Remove(t.Context(), "nobody"), ErrUnknown)
	release, err := s.Lock(gone.root)
	require.NoError(t, err)
	require.ErrorIs(t, s.Remove(t.Context(), gone.root), ErrLocked)
	release()
	require.Equal(t, before, counts(t, s))

	require.NoError(t, s.Remove(t.Context(), gone.root))
	s = reopen(t, s)
	for table, count := range counts(t, s) {
		if table != "facts" {
			require.Equal(t, before[table]/2, count, table)
		}
	}
	loaded, err := s.Load(t.Context(), gone.root)
	require.NoError(t, err)
	require.Equal(t, lc.Loaded{}, loaded)
	records, err := s.Records(t.Context(), kept.root, 0, 0)
	require.NoError(t, err)
	require.Equal(t, kept.records, records)
	require.NoError(t, s.Check(t.Context()))
}

func TestRemoveOverwritesTheBytes(t *testing.T) {
	path := file(t)
	s := open(t, path)
	secret := "correct horse battery staple"
	j := newJournal(t, "root").parent()
	j.say(entry("root", j.id("p1"), lc.EntryUser, secret)).mark("root", j.id("p1"), lc.StepStarted{Step: 1}, lc.Text{Text: secret}).into(s)
	require.NoError(t, s.SetFact(t.Context(), "drafts:root", secret))
	require.NoError(t, s.SetFact(t.Context(), "drafts:other", "stays"))
	require.ErrorIs(t, s.Remove(t.Context(), "nobody", "drafts:other"), ErrUnknown)
	require.NoError(t, s.Remove(t.Context(), "root", "drafts:root"))
	kept, err := s.Fact(t.Context(), "drafts:other")
	require.NoError(t, err)
	require.Equal(t, "stays", kept)
	require.Zero(t, s.walSize())
	require.NoError(t, s.Close())
	require.NotContains(t, readFile(t, path), secret)
}

// A draft is kept over and over while it is typed: none of its earlier forms outlives it.
func TestWhatIsWrittenOverLeavesNoBytes(t *testing.T) {
	path := file(t)
	s := open(t, path)
	secret := "correct horse battery staple"
	for _, text := range []string{secret, secret + " and more", "the " + secret, ""} {
		require.NoError(t, s.SetFact(t.Context(), "drafts:root", text))
		require.NoError(t, s.SetFact(t.Context(), "other", text[:min(3, len(text))]))
	}
	require.NoError(t, s.Close())
	require.NotContains(t, readFile(t, path), secret)
}

func counts(t *testing.T, s *Store) map[string]int {
	all := map[string]int{}
	for _, table := range []string{"sessions", "records", "runs", "notifications", "messages", "grants", "facts", "session_facts"} {
		var count int
		require.NoError(t, s.read.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&count))
		all[table] = count
	}
	return all
}

func TestTimesAreKeptToTheMicrosecond(t *testing.T) {
	at := time.Date(1969, 7, 20, 20, 17, 40, 123456000, time.UTC)
	s := open(t, file(t))
	spec := lc.Spec{Root: "root", Trigger: lc.TriggerUser}
	rec := lc.Record{Seq: 1, Time: at, Root: "root", Session: "root", Run: "r", Event: lc.Spawned{Spec: spec}}
	run, err := lc.Run{}.Apply(rec)
	require.NoError(t, err)
	require.NoError(t, s.Append(t.Context(), []lc.Change{{Records: []lc.Record{rec}, Runs: []lc.Run{run}}}))
	records, err := reopen(t, s).Records(t.Context(), "root", 0, 0)
	require.NoError(t, err)
	require.Equal(t, []lc.Record{rec}, records)
}
