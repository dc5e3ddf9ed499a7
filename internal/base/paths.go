package base

import (
	"os"
	"strings"
)

// ShortPath writes a path with ~ for the home folder.
func ShortPath(folder string) string {
	if home, err := os.UserHomeDir(); err == nil {
		if rest, ok := strings.CutPrefix(folder, home+"/"); ok {
			return "~/" + rest
		}
	}
	return folder
}
