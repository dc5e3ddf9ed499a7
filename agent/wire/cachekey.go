package wire

import (
	"crypto/sha256"
	"encoding/hex"

	"pawl/agent"
)

// CacheKey names the session as well as a request can, by how it begins, for
// servers that keep their cache of prefixes by such a name.
func CacheKey(req agent.Request) string {
	h := sha256.New()
	h.Write([]byte(req.Model + "\x00" + req.System + "\x00"))
	if len(req.Messages) > 0 {
		h.Write([]byte(req.Messages[0].Text()))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
