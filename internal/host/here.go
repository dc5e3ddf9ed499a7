package host

import (
	"context"
	"log/slog"

	"pawl/internal/fleet"
	"pawl/internal/hosted"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// worksHere says what goes on in other sessions of a folder, and how to see it; empty if nothing
// does.
func worksHere(ctx context.Context, folder string) string {
	open, _, err := fleet.Hosts(ctx, hosted.Folder())
	if err != nil {
		slog.Error("ask what works here", "error", err)
		return ""
	}
	var asks, works int
	var first lifecycle.SessionID
	for _, s := range open {
		switch {
		case s.Folder != folder || s.State == fleet.Idle:
			continue
		case s.State == fleet.NeedsYou:
			asks++
		default:
			works++
		}
		first = s.Session
	}
	switch n := asks + works; {
	case n == 0:
		return ""
	case n == 1 && asks == 1:
		return "another session here needs you: pawl attach " + hosted.ShortID(first) + ", or /sessions"
	case n == 1:
		return "another session works here: pawl attach " + hosted.ShortID(first) + ", or /sessions"
	case asks > 0:
		return words.CountOf(n, "other session works", "other sessions work") + " here, " + words.CountOf(asks, "needs", "need") + " you: /fleet, or pawl attach"
	default:
		return words.CountOf(n, "other session works", "other sessions work") + " here: /fleet, or pawl attach"
	}
}
