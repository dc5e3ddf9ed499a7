package wire

import (
	"crypto/sha256"
	"encoding/hex"

	"pawl/agent"
)

// CacheKey identifies the session by how its requests begin, for servers that organise
// their prefix cache by such a key.
func CacheKey(req agent.Request) string {
	h := sha256.New()
	h.Write([]byte(req.Model + "\x00" + req.System + "\x00"))
	if len(req.Messages) > 0 {
		h.Write([]byte(req.Messages[0].Text()))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
