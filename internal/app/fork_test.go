package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export"
	"pawl/export/exporttest"
	"pawl/export/formats"
	"pawl/export/verify"
	"pawl/internal/base"
	"pawl/internal/stored"
	"pawl/lifecycle"
	"pawl/store"
)

// realIDs gives the ids of a story the form of those that Pawl makes. ids are all that it gave.
func realIDs(story *exporttest.Story) (rename func(string) string, ids map[string]string) {
	ids = map[string]string{}
	learn := func(id string) {
		if id != "" && ids[id] == "" {
			ids[id] = string(lifecycle.NewRunID())
		}
	}
	for _, rec := range story.Records {
		learn(string(rec.Session))
		learn(string(rec.Run))
		switch e := rec.Event.(type) { //nolint:gochecksumtype // those that have ids of their own
		case lifecycle.MessageQueued:
			learn(string(e.ID))
		case lifecycle.PermissionAsked:
			learn(string(e.ID))
		case lifecycle.Landed:
			learn(string(e.Operation))
		case lifecycle.Rewound:
			learn(string(e.Operation))
		default:
		}
	}
	word := regexp.MustCompile(`[A-Za-z0-9_-]+`)
	return func(text string) string {
		return word.ReplaceAllStringFunc(text, func(w string) string {
			if id := ids[w]; id != "" {
				return id
			}
			return w
		})
	}, ids
}

// inDatabase writes a story into a database as a host would have, record by record.
func inDatabase(t *testing.T, story *exporttest.Story) (b *base.Base, root lifecycle.SessionID, ids map[string]string) {
	t.Helper()
	t.Setenv("PAWL_HOME", t.TempDir())
	b, err := base.Open(t.Context(), base.World{Logged: true}, store.Options{})
	require.NoError(t, err)
	t.Cleanup(b.Close)
	rename, ids := realIDs(story)
	entries := map[lifecycle.Seq][]lifecycle.Entry{}
	for _, all := range story.Entries {
		for _, w := range all {
			e := w.Entry
			e.Session, e.Run, e.Source = lifecycle.SessionID(rename(string(e.Session))), lifecycle.RunID(rename(string(e.Run))), lifecycle.RunID(rename(string(e.Source)))
			e.Body = json.RawMessage(rename(string(e.Body)))
			entries[w.Seq] = append(entries[w.Seq], e)
		}
	}
	runs := map[lifecycle.RunID]lifecycle.Run{}
	var changes []lifecycle.Change
	for _, rec := range story.Records {
		text, err := json.Marshal(rec)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal([]byte(rename(string(text))), &rec))
		runs[rec.Run], err = runs[rec.Run].Apply(rec)
		require.NoError(t, err)
		changes = append(changes, lifecycle.Change{Records: []lifecycle.Record{rec}, Runs: []lifecycle.Run{runs[rec.Run]}, Entries: entries[rec.Seq]})
	}
	for len(changes) > 0 {
		n := min(100, len(changes))
		require.NoError(t, b.Store.Append(t.Context(), changes[:n]))
		changes = changes[n:]
	}
	root = lifecycle.SessionID(rename(string(exporttest.Root)))
	openings, err := inJSON(story.Openings)
	require.NoError(t, err)
	require.NoError(t, b.Store.SetSessionFact(t.Context(), root, store.FactOpenings, openings))
	return b, root, ids
}

// exported is a session as a document.
func exported(t *testing.T, b *base.Base, root lifecycle.SessionID) string {
	t.Helper()
	source, upto, err := stored.FindSource(t.Context(), b, string(root))
	require.NoError(t, err)
	source.Session.ForkedFrom = nil // which names the original
	var document bytes.Buffer
	require.NoError(t, export.Write(t.Context(), &document, formats.Options{Format: formats.JSON}, source, root, upto))
	return document.String()
}

// plain is a document without its line of facts and with its ids in the order in which they come.
func plain(document string) string {
	seen := map[string]string{}
	id := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	facts := regexp.MustCompile(`(?m)^"session":.*$`)
	return id.ReplaceAllStringFunc(facts.ReplaceAllString(document, ""), func(id string) string {
		if seen[id] == "" {
			seen[id] = fmt.Sprint("id-", len(seen))
		}
		return seen[id]
	})
}

// Whatever happened in a session, it can be forked from before each of its prompts: the fork keeps all
// the promises of a session, and nothing in it is the original's.
func TestEveryForkOfASessionKeepsThePromisesOfOne(t *testing.T) {
	b, root, ids := inDatabase(t, exporttest.Everything(t))
	before := exported(t, b, root)
	all, err := Prompts(t.Context(), b, root)
	require.NoError(t, err)
	require.NotEmpty(t, all)
	_, err = Fork(t.Context(), b, root, &all[0])
	require.ErrorIs(t, err, ErrNothingBefore)
	points := []*Prompt{nil}
	for i := range all[1:] {
		points = append(points, &all[i+1])
	}
	for _, point := range points {
		fork, err := Fork(t.Context(), b, root, point)
		require.NoError(t, err)
		source, upto, err := stored.FindSource(t.Context(), b, string(fork))
		require.NoError(t, err)
		require.Equal(t, root, source.Session.ForkedFrom.Session)
		require.Equal(t, upto+1, source.Session.ForkedFrom.Seq)
		verdict, err := verify.Session(t.Context(), source, upto)
		require.NoError(t, err)
		require.Empty(t, verdict.Faults, "before record %d", upto+1)
		document := exported(t, b, fork)
		for was, id := range ids {
			require.False(t, strings.Contains(document, id), "%s, before record %d", was, upto+1) // a diff of it is long
		}
		if point == nil {
			require.True(t, plain(before) == plain(document), "it has all of it")
			again, err := Fork(t.Context(), b, fork, nil)
			require.NoError(t, err)
			require.False(t, strings.Contains(exported(t, b, again), string(fork)))
		}
	}
	require.True(t, before == exported(t, b, root), "the original stays as it was")
}
