package export

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pawl/export/formats"
	"pawl/lifecycle"
)

// Name is the name of an exported file: pawl-<id>.md.
func Name(root lifecycle.SessionID, format formats.Format) string {
	id := strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r == '-', r == '_':
			return r
		}
		return '_' // an id that came from a file could hold a path
	}, string(root))
	return "pawl-" + id + "." + format.Ending()
}

// Unique is path, or the first of path-2, path-3, … that is free.
func Unique(path string) string {
	ending := filepath.Ext(path)
	if strings.HasSuffix(path, "."+formats.Trace.Ending()) {
		ending = "." + formats.Trace.Ending()
	}
	stem := strings.TrimSuffix(path, ending)
	for n := 2; ; n++ {
		if _, err := os.Lstat(path); err != nil { // not there, or ToFile will say what it is
			return path
		}
		path = fmt.Sprintf("%s-%d%s", stem, n, ending)
	}
}
