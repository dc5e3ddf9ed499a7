package store

import (
	"fmt"

	"pawl/lifecycle"
)

const (
	queueNoticeSQL = `INSERT INTO notifications (run, session, state, queued) SELECT id, parent, 'pending', ? FROM runs WHERE id = ?`

	resolveNoticeSQL = `UPDATE notifications SET state = ?, settled = ? WHERE run = ?`
)

// notify keeps the table of notifications current. Records of other events change
// nothing.
func (t *transaction) notify(rec lifecycle.Record) error {
	var err error
	switch rec.Event.(type) { //nolint:gochecksumtype // three of the closed set are about notifications
	case lifecycle.NotificationQueued:
		err = t.change(queueNoticeSQL, rec.Time.UnixMicro(), string(rec.Run))
	case lifecycle.NotificationDelivered:
		err = t.change(resolveNoticeSQL, "delivered", rec.Time.UnixMicro(), string(rec.Run))
	case lifecycle.NotificationWithdrawn:
		err = t.change(resolveNoticeSQL, "withdrawn", rec.Time.UnixMicro(), string(rec.Run))
	default:
		return nil
	}
	if err != nil {
		return fmt.Errorf("record %d, %s of run %s: %w", rec.Seq, lifecycle.Name(rec.Event), rec.Run, err)
	}
	return nil
}
