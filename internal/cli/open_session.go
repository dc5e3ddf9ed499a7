package cli

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"sync"

	"pawl/internal/base"
	"pawl/internal/fleet"
	"pawl/internal/hosted"
)

// Commands that reach an open session over its host's socket have these in common.

const (
	// idMeans explains the argument ID.
	idMeans = `ID is an open session: its id, or how that begins or ends. Without one it is the only
open session of this folder.`
	replyUsage = "For programs: the host's reply, one JSON object."
)

// likeID is a word that can only be meant as a session's id: it is no word of a message.
var likeID = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(…|\.\.\.)[0-9a-fA-F-]+$|^[0-9a-fA-F-]*[0-9][0-9a-fA-F-]*$|^[0-9a-fA-F-]{4,}$`)
})

// namesSession reports whether a first word is a session's id, or else part of what is said to one.
func namesSession(word string) bool {
	if likeID().MatchString(word) {
		return true
	}
	found, err := hosted.Folder().Find(word)
	return err == nil && len(found) > 0
}

// first is the first argument; empty if there is none.
func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// withSession does something with the open session that is meant, and words what prevents it. The
// command in instead helps with one that is not open; %s in it is its id.
func withSession(ctx context.Context, w *base.World, name, instead string, do func(*hosted.Session) error) error {
	session, err := hosted.Find(ctx, *w, name)
	if closed, is := errors.AsType[*hosted.NotOpenError](err); is {
		return fmt.Errorf("%w: %s", err, fmt.Sprintf(instead, hosted.ShortID(closed.Root)))
	}
	if err != nil {
		return err
	}
	defer session.Close()
	return do(session)
}

// tellReply prints the reply of a host, if that was asked for.
func tellReply(w *base.World, asJSON bool, reply fleet.Reply, err error) error {
	if err != nil || !asJSON {
		return err
	}
	return base.PrintJSON(*w, reply)
}
