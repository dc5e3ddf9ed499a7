package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pawl/internal/words"
	"pawl/lifecycle"
)

const (
	namedSQL = sessionColumns + `WHERE s.id = ?1`

	findSQL = sessionColumns + `WHERE substr(s.id, 1, length(?1)) = ?1 OR substr(s.id, -length(?1)) = ?1
		ORDER BY s.parent IS NULL DESC, s.updated DESC, s.id DESC`

	// nearLimit is how many of the newest sessions are compared with a mistyped name.
	nearLimit = 1000

	// longest is how many bytes of a name are used: more than any id has.
	longest = 80
)

// Session finds a session by its id, or by the beginning or end of it, in upper or
// lower case; an ellipsis may stand before an end, as lists show it. A name that matches a root and otherwise only that root's subagents
// means the root. The error is one line: ErrUnknown, which names the nearest session,
// or ErrAmbiguous, which lists the matches.
func (s *Store) Session(ctx context.Context, name string) (SessionInfo, error) {
	name = words.WithoutEllipsis(strings.ToLower(strings.TrimSpace(name)))
	name = name[:min(longest, len(name))]
	if name == "" {
		return SessionInfo{}, s.faultf(ErrUnknown, nil, "which session? write its id, or the beginning or end of it")
	}
	found, err := collect(ctx, s.read, scanSession, namedSQL, name)
	if err == nil && len(found) == 0 { // it is no whole id: look at all of them
		found, err = collect(ctx, s.read, scanSession, findSQL, name)
	}
	switch {
	case err != nil:
		return SessionInfo{}, s.fault(ctx, "find session "+name, err)
	case len(found) == 0:
		return SessionInfo{}, s.noSession(ctx, name)
	case len(found) == 1, oneTree(found):
		return found[0], nil
	}
	return SessionInfo{}, s.faultf(ErrAmbiguous, nil, "session %q could be %s: write more of it", name, described(found))
}

// oneTree reports whether found is a root, first, and subagents of that root.
func oneTree(found []SessionInfo) bool {
	return found[0].Parent == "" && !slices.ContainsFunc(found, func(info SessionInfo) bool { return info.Root != found[0].ID })
}

func described(found []SessionInfo) string {
	const shown = 4
	var names []string
	for _, info := range found[:min(shown, len(found))] {
		names = append(names, fmt.Sprintf("%s (%q)", info.ID, info.Title))
	}
	if more := len(found) - shown; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

func (s *Store) noSession(ctx context.Context, name string) error {
	newest, err := s.Sessions(ctx, Filter{Limit: nearLimit})
	if err != nil {
		return err
	}
	if len(newest) == 0 {
		return s.faultf(ErrUnknown, nil, "no session %q: there are none yet in %s", name, s.path)
	}
	nearest := slices.MinFunc(newest, func(a, b SessionInfo) int { return distance(name, a.ID) - distance(name, b.ID) })
	return s.faultf(ErrUnknown, nil, "no session %q: the nearest is %s", name, described([]SessionInfo{nearest}))
}

// distance is the edit distance between a name and an id, its beginning or its end,
// whichever is nearest.
func distance(name string, id lifecycle.SessionID) int {
	n := min(len(name), len(id))
	return min(words.Edits(name, string(id)), words.Edits(name, string(id[:n])), words.Edits(name, string(id[len(id)-n:])))
}
