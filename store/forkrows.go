package store

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"pawl/lifecycle"
)

// copyRuns writes the runs that had been spawned, each as it was after its last record that is taken,
// and their notifications.
func (c *forking) copyRuns() error {
	type row struct {
		spawned int64
		data    string
	}
	scan := func(rows *sql.Rows) (r row, err error) {
		err = rows.Scan(&r.spawned, &r.data)
		return r, err
	}
	return paged(func(after int64) ([]row, error) {
		return collect(c.ctx, c.tx, scan, forkedRunsSQL, string(c.Session), after, int64(c.Seq), forkPage)
	}, func(r row) (int64, error) {
		var run lifecycle.Run
		err := json.Unmarshal([]byte(r.data), &run)
		if err == nil && run.Seq >= c.Seq {
			run, err = c.foldRun(run, lifecycle.Seq(r.spawned))
		}
		if err != nil {
			return r.spawned, fmt.Errorf("read run %s: %w", run.ID, err)
		}
		return r.spawned, c.copyRun(run, lifecycle.Seq(r.spawned))
	})
}

// foldRun is a run as it was before the first record that is left out.
func (c *forking) foldRun(now lifecycle.Run, spawned lifecycle.Seq) (run lifecycle.Run, err error) {
	err = paged(func(after int64) ([]lifecycle.Record, error) {
		return collect(c.ctx, c.tx, scanRecord, runRecordsSQL,
			string(c.Session), string(now.Session), max(after, int64(spawned)-1), int64(c.Seq), string(now.ID), forkPage)
	}, func(rec lifecycle.Record) (int64, error) {
		var err error
		run, err = run.Apply(rec)
		return int64(rec.Seq), err
	})
	return run, err
}

// copyRun writes one run of the original.
func (c *forking) copyRun(run lifecycle.Run, spawned lifecycle.Seq) error {
	data, err := json.Marshal(run)
	if err == nil {
		var renamed lifecycle.Run
		if err = json.Unmarshal(c.ids.rename(data), &renamed); err == nil {
			err = c.putRun(renamed, spawned)
		}
		run = renamed
	}
	if err != nil || run.Notification == nil {
		return err
	}
	n, state, settled := run.Notification, "pending", time.Time{}
	switch {
	case n.InRun != "":
		state, settled = "delivered", n.DeliveredAt
	case n.WithdrawnBy != "":
		state, settled = "withdrawn", n.WithdrawnAt
	}
	var at any
	if !settled.IsZero() {
		at = settled.UnixMicro()
	}
	if _, err := c.exec(insertNoticeSQL, string(run.ID), string(run.Parent), state, n.QueuedAt.UnixMicro(), at); err != nil {
		return fmt.Errorf("the notification of run %s: %w", run.ID, err)
	}
	return nil
}

// copyRecords writes the log.
func (c *forking) copyRecords() error {
	type row struct {
		seq, time           int64
		session, run, event string
		data                []byte
		request             int64
	}
	scan := func(rows *sql.Rows) (r row, err error) {
		err = rows.Scan(&r.seq, &r.time, &r.session, &r.run, &r.event, &r.data, &r.request)
		return r, err
	}
	return paged(func(after int64) ([]row, error) {
		return collect(c.ctx, c.tx, scan, forkedRecordsSQL, string(c.Session), after, int64(c.Seq), forkPage)
	}, func(r row) (int64, error) {
		_, err := c.exec(insertRecordSQL, string(c.Root), r.seq, r.time, c.ids.of(r.session), c.ids.of(r.run), r.event, string(c.ids.rename(r.data)), r.request)
		if err != nil {
			return r.seq, fmt.Errorf("record %d, %s: %w", r.seq, r.event, err)
		}
		return r.seq, nil
	})
}

// copyEntries writes the transcript of one session of the original.
func (c *forking) copyEntries(session string) error {
	type row struct {
		id, seq                 int64
		run, kind, call, source string
		body                    []byte
	}
	scan := func(rows *sql.Rows) (r row, err error) {
		err = rows.Scan(&r.id, &r.seq, &r.run, &r.kind, &r.call, &r.source, &r.body)
		return r, err
	}
	return paged(func(after int64) ([]row, error) {
		return collect(c.ctx, c.tx, scan, forkedEntriesSQL, session, after, int64(c.Seq), forkPage)
	}, func(r row) (int64, error) {
		_, err := c.exec(insertMessageSQL, c.ids.of(session), r.seq, c.ids.of(r.run), r.kind, nullable(r.call), nullable(c.ids.of(r.source)), string(c.ids.rename(r.body)))
		if err != nil {
			return r.id, fmt.Errorf("%s entry of session %s: %w", r.kind, session, err)
		}
		return r.id, nil
	})
}
