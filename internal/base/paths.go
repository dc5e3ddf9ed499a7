package base

import (
	"os"
	"strings"
)

// ShortPath writes a folder as people do.
func ShortPath(folder string) string {
	if home, err := os.UserHomeDir(); err == nil {
		if rest, ok := strings.CutPrefix(folder, home+"/"); ok {
			return "~/" + rest
		}
	}
	return folder
}
