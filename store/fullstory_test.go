package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	lc "pawl/lifecycle"
)

// quick is a folder whose flushes cost nothing, where the system has one.
func quick(t testing.TB) string {
	folder, err := os.MkdirTemp("/dev/shm", "pawl-test-*")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(folder)) })
	return folder
}

// image is all that a database holds.
type image struct {
	Records map[lc.SessionID][]lc.Record
	Runs    map[lc.RunID]string // JSON: a run that grew has spare room beside it
	Entries map[lc.SessionID][]lc.Entry
	Notices map[lc.RunID]string
	Facts   map[string]string
	Costs   map[string]float64 // of days
}

func newImage() image {
	return image{map[lc.SessionID][]lc.Record{}, map[lc.RunID]string{}, map[lc.SessionID][]lc.Entry{}, map[lc.RunID]string{}, map[string]string{}, map[string]float64{}}
}

// written is a run as the database has it.
func written(run lc.Run) string {
	data, err := json.Marshal(run)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// scene is one call of the store's: what it does, and what the database then
// holds more.
type scene struct {
	name string
	act  func(*fullStory) error
	want func(image)
}

// fullStory is a run-and-notification story from the making of the database to a
// removal, one acknowledged call after the other.
//
//	open ─ parent ─ step ─ children ─ result ─ progress ─ end + notification
//	     ─ delivery + message + consumed ─ fact ─ many at once ─ close
//	open, migrating ─ ends ─ removal ─ fact ─ close
type fullStory struct {
	t      testing.TB
	path   string
	engine engine
	s      *Store
	scenes []scene
	images []image // what the database holds after so many scenes
}

func newFullStory(t testing.TB, folder string, e engine) *fullStory {
	dr := &fullStory{t: t, path: filepath.Join(folder, "data", "pawl.db"), engine: e}
	dr.write()
	now := newImage()
	dr.images = append(dr.images, now)
	for _, sc := range dr.scenes {
		now = image{cloneLists(now.Records), maps.Clone(now.Runs), cloneLists(now.Entries), maps.Clone(now.Notices), maps.Clone(now.Facts), maps.Clone(now.Costs)}
		sc.want(now)
		dr.images = append(dr.images, now)
	}
	return dr
}

func cloneLists[K comparable, V any](lists map[K][]V) map[K][]V {
	lists = maps.Clone(lists)
	for key, list := range lists {
		lists[key] = slices.Clone(list)
	}
	return lists
}

// write writes the scenes.
func (dr *fullStory) write() {
	j, other := newJournal(dr.t, "root"), newJournal(dr.t, "other")
	p1 := j.id("p1")
	dr.open(Options{})
	dr.append(j.parent().say(entry(j.root, p1, lc.EntryUser, "Audit the refunds")).take())
	dr.append(j.mark(j.root, p1, lc.StepStarted{Step: 1}, piece).say(entry(j.root, p1, lc.EntryAssistant, "I will look.")).take())
	dr.append(j.child("a").child("b").take())
	result := entry(j.root, p1, lc.EntryToolResult, "started")
	result.Call = "call-a"
	dr.append(j.mark(j.root, p1, lc.ToolStarted{Call: "call-a", Tool: "agent"}, lc.ToolEnded{Call: "call-a", Tool: "agent", Status: lc.ToolOK}).say(result).take())
	dr.append(j.mark(j.session("a"), j.id("a"), lc.StepStarted{Step: 1}, piece, lc.UsageReported{Usage: lc.Usage{Cost: 0.5}}).take())
	dr.append(j.owed("a").take())
	told := entry(j.root, p1, lc.EntryNotification, "a completed")
	told.Source = j.id("a")
	dr.append(j.mark(j.session("a"), j.id("a"), lc.NotificationDelivered{InRun: p1, Step: 2}, lc.Consumed{By: lc.ByNotification, InRun: p1}).say(told).take())
	dr.fact("draft", "half a sentence")
	dr.append(j.owed("b").take(), other.parent().take(), other.child("x").mark(other.root, other.id("p1"), lc.UsageReported{Usage: lc.Usage{Cost: 0.25}}).take())
	dr.close()
	dr.open(later(`ALTER TABLE facts ADD COLUMN since INTEGER;`))
	dr.append(other.ended("x").take())
	dr.append(j.mark(j.root, p1, lc.Ended{State: lc.StateCompleted, Result: "Refunded."}).take())
	dr.remove(other)
	dr.fact("draft", "")
	dr.close()
}

func (dr *fullStory) add(name string, act func(*fullStory) error, want func(image)) {
	dr.scenes = append(dr.scenes, scene{name, act, want})
}

func (dr *fullStory) open(options Options) {
	dr.add("open", func(dr *fullStory) (err error) {
		options.engine, options.fileSystem = dr.engine, func(string) (string, error) { return "", nil }
		dr.s, err = Open(context.Background(), dr.path, options)
		return err
	}, func(image) {})
}

func (dr *fullStory) close() {
	dr.add("close", func(dr *fullStory) error { return dr.s.Close() }, func(image) {})
}

func (dr *fullStory) append(changes ...lc.Change) {
	dr.add("append", func(dr *fullStory) error { return dr.s.Append(context.Background(), changes) }, func(i image) {
		for _, c := range changes {
			i.take(c)
		}
	})
}

func (dr *fullStory) fact(name, value string) {
	dr.add("fact", func(dr *fullStory) error { return dr.s.SetFact(context.Background(), name, value) }, func(i image) { i.Facts[name] = value })
}

// remove is done once: where it was done and reported as failed, there is nothing
// left to remove.
func (dr *fullStory) remove(j *journal) {
	before := false
	dr.add("remove", func(dr *fullStory) error {
		err := dr.s.Remove(context.Background(), j.root)
		if errors.Is(err, ErrUnknown) && before {
			return nil
		}
		before = true
		return err
	}, func(i image) {
		delete(i.Records, j.root)
		for id := range j.runs {
			delete(i.Runs, id)
		}
	})
}

// take puts a change on the image.
func (i image) take(c lc.Change) {
	for _, rec := range c.Records {
		i.Records[rec.Root] = append(i.Records[rec.Root], rec)
		switch e := rec.Event.(type) { //nolint:gochecksumtype // those that change more than the log
		case lc.NotificationQueued:
			i.Notices[rec.Run] = "pending"
		case lc.NotificationDelivered:
			i.Notices[rec.Run] = "delivered"
		case lc.UsageReported:
			i.Costs[rec.Time.Format(time.DateOnly)] += e.Cost
		case lc.Spawned:
			if e.Parent == "" {
				i.Facts[factLastModel] = e.Model
			}
		}
	}
	for _, run := range c.Runs {
		i.Runs[run.ID] = written(run)
	}
	for _, e := range c.Entries {
		i.Entries[e.Session] = append(i.Entries[e.Session], e)
	}
}

// look reads a database whole, with the engine that people get; ok is false where
// there is none. Whatever is there must be sound.
func look(t testing.TB, path string) (found image, ok bool) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return newImage(), false
	}
	s, err := Open(t.Context(), path, Options{})
	if errors.Is(err, ErrNewer) {
		s, err = Open(t.Context(), path, later(`ALTER TABLE facts ADD COLUMN since INTEGER;`))
	}
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	var verdict string
	require.NoError(t, s.read.QueryRowContext(t.Context(), `PRAGMA integrity_check`).Scan(&verdict))
	require.Equal(t, "ok", verdict)
	require.NoError(t, s.Check(t.Context()))
	found = newImage()
	sessions, err := s.Sessions(t.Context(), Filter{})
	require.NoError(t, err)
	for _, info := range sessions {
		entries, err := s.Entries(t.Context(), info.ID)
		require.NoError(t, err)
		if entries != nil {
			found.Entries[info.ID] = entries
		}
		if info.Parent != "" {
			continue
		}
		found.Records[info.ID], err = s.Records(t.Context(), info.ID, 0, 0)
		require.NoError(t, err)
		runs, err := s.Runs(t.Context(), info.ID, 0, 0)
		require.NoError(t, err)
		for _, run := range runs {
			found.Runs[run.ID] = written(run)
		}
	}
	for _, row := range pairs(t, s, `SELECT run, state FROM notifications`) {
		found.Notices[lc.RunID(row[0])] = row[1]
	}
	for _, row := range pairs(t, s, `SELECT name, value FROM facts`) {
		found.Facts[row[0]] = row[1]
	}
	cost, err := s.DayCost(t.Context(), epoch)
	require.NoError(t, err)
	if cost.Cost > 0 {
		found.Costs[cost.Day] = cost.Cost
	}
	return found, true
}

func pairs(t testing.TB, s *Store, query string) [][2]string {
	rows, err := collect(t.Context(), s.read, func(rows *sql.Rows) (row [2]string, err error) {
		return row, rows.Scan(&row[0], &row[1])
	}, query)
	require.NoError(t, err)
	return rows
}

// holds says that a database is as it was after so many scenes or, where the next
// one was under way, after that: all of it or nothing. It gives how many.
func (dr *fullStory) holds(path string, acknowledged int, underWay bool) int {
	dr.t.Helper()
	found, ok := look(dr.t, path)
	if underWay && acknowledged < len(dr.scenes) && assert.ObjectsAreEqual(dr.images[acknowledged+1], found) {
		return acknowledged + 1
	}
	require.True(dr.t, ok || acknowledged == 0, "the database is gone")
	require.Equal(dr.t, dr.images[acknowledged], found, "after scene %d", acknowledged)
	return acknowledged
}
