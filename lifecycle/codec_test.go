package lifecycle

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheSetOfEventsIsTheDesigns(t *testing.T) {
	require.Equal(t, []string{
		"spawned", "queued", "started", "step_started", "waiting", "text", "thinking", "tool_started", "tool_ended", "searched",
		"permission_asked", "permission_granted", "permission_denied", "message_queued", "message_edited",
		"message_moved", "message_taken", "message_withdrawn", "warned", "nudged", "overdue", "detached",
		"compacted", "usage", "stop_requested", "ended", "notification_queued", "notification_delivered",
		"notification_withdrawn", "consumed", "files_changed", "landed", "rewound", "placed",
	}, EventNames())
}

func TestEveryEventComesBackAsItWas(t *testing.T) {
	at := time.Date(2026, 11, 21, 8, 0, 0, 123000, time.UTC)
	require.Len(t, samples(), len(EventNames()))
	for i, event := range samples() {
		rec := Record{Seq: Seq(i + 1), Time: at, Root: "root", Session: "child", Run: "r1", Event: event}
		encoded, err := json.Marshal(rec)
		require.NoError(t, err)
		var back Record
		require.NoError(t, json.Unmarshal(encoded, &back), string(encoded))
		require.Equal(t, rec, back)
		require.Equal(t, EventNames()[i], Name(event))
	}
}

func TestAnUnknownEventIsNamed(t *testing.T) {
	var rec Record
	err := json.Unmarshal([]byte(`{"seq":7,"event":"exploded"}`), &rec)
	require.ErrorContains(t, err, `record 7`)
	require.ErrorContains(t, err, `"exploded"`)
}
