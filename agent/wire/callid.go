package wire

import (
	"crypto/sha256"
	"encoding/hex"

	"pawl/agent"
	"pawl/lifecycle"
)

// CallIDs are the ids of a session's calls. Some servers give calls no ids, some count
// from 0 in every answer.
type CallIDs map[lifecycle.CallID]bool

// CallIDsOf lists the ids in a history.
func CallIDsOf(history []agent.Message) CallIDs {
	ids := CallIDs{}
	for _, m := range history {
		for _, call := range m.Calls() {
			ids[call.ID] = true
		}
	}
	return ids
}

// Take returns the id for a new call: the server's, unless it is empty or in use. A
// generated id is short enough for every server.
func (ids CallIDs) Take(given string) lifecycle.CallID {
	id := lifecycle.CallID(given)
	if id == "" || ids[id] {
		id = lifecycle.NewCallID()
	}
	ids[id] = true
	return id
}

// ShortCallID shortens an id to what a server accepts, alike for a call and its result.
func ShortCallID(id lifecycle.CallID, most int) string {
	if len(id) <= most {
		return string(id)
	}
	sum := sha256.Sum256([]byte(id))
	return "call_" + hex.EncodeToString(sum[:16])
}
