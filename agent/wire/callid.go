package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"pawl/agent"
	"pawl/lifecycle"
)

// CallIDs are the ids that the calls of a session have. Some servers name no
// calls, some count them from 0 in every answer.
type CallIDs map[lifecycle.CallID]bool

// CallIDsOf lists those of a history.
func CallIDsOf(history []agent.Message) CallIDs {
	ids := CallIDs{}
	for _, m := range history {
		for _, call := range m.Calls() {
			ids[call.ID] = true
		}
	}
	return ids
}

// Take gives a new call its id: the server's, unless there is none or another
// call has it. A minted one is short enough for every server.
func (ids CallIDs) Take(given string) lifecycle.CallID {
	id := lifecycle.CallID(given)
	if id == "" || ids[id] {
		id = lifecycle.CallID(strings.ReplaceAll(string(lifecycle.NewCallID()), "-", ""))
	}
	ids[id] = true
	return id
}

// ShortCallID shortens an id that is longer than a server takes, the same for a
// call and its result.
func ShortCallID(id lifecycle.CallID, most int) string {
	if len(id) <= most {
		return string(id)
	}
	sum := sha256.Sum256([]byte(id))
	return "call_" + hex.EncodeToString(sum[:16])
}
