package filestore

import "slices"

// Bounds of what is held in memory of the newest contents: of files that are edited again and again,
// the next change is like the last.
const (
	maxRecent     = 4
	maxRecentSize = 1 << 20
)

// recent holds the newest contents that are not large.
type recent []recentContent

type recentContent struct {
	hash    string
	content []byte
}

func (r *recent) find(hash string) ([]byte, bool) {
	at := slices.IndexFunc(*r, func(c recentContent) bool { return c.hash == hash })
	if at < 0 {
		return nil, false
	}
	return (*r)[at].content, true
}

// add takes a copy.
func (r *recent) add(hash string, content []byte) {
	if _, there := r.find(hash); there || len(content) > maxRecentSize {
		return
	}
	*r = append(*r, recentContent{hash, slices.Clone(content)})
	if len(*r) > maxRecent {
		*r = slices.Delete(*r, 0, 1)
	}
}
