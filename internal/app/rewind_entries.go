package app

import (
	"context"
	"encoding/json"
	"math"

	"pawl/lifecycle"
)

// besideMost bounds what a step takes in beside a message.
const besideMost = 64

// entriesBefore counts the entries of the root's transcript that stand before a point. Of several
// messages that one step took in, those before the point's own stay.
func (h *Session) entriesBefore(ctx context.Context, to lifecycle.Seq) (int, error) {
	count, err := h.Store.EntriesBefore(ctx, h.Root, to)
	if err != nil {
		return 0, err
	}
	records, err := h.Store.Records(ctx, h.Root, to-1, 1)
	if err != nil || len(records) == 0 {
		return count, err
	}
	taken, is := records[0].Event.(lifecycle.MessageTaken)
	if !is {
		return count, nil
	}
	beside, err := h.Store.EntriesUntil(ctx, h.Root, math.MaxInt64, count, besideMost)
	if err != nil {
		return 0, err
	}
	for i, entry := range beside {
		var said lifecycle.Said
		if entry.Kind == lifecycle.EntryUser && json.Unmarshal(entry.Body, &said) == nil && said.Message == taken.Message {
			return count + i, nil
		}
	}
	return count, nil
}

// endedSince are the runs of which the log says from a record on that they have ended, or that their
// parent has learned of it.
func (h *Session) endedSince(ctx context.Context, from lifecycle.Seq) (map[lifecycle.RunID]bool, error) {
	records, err := h.Store.EndsSince(ctx, h.Root, from)
	ended := map[lifecycle.RunID]bool{}
	for _, rec := range records {
		ended[rec.Run] = true
	}
	return ended, err
}
