package app

import (
	"fmt"
	"path/filepath"
	"strings"

	"pawl/agent/permission"
	"pawl/agent/settings"
	"pawl/internal/keys"
)

// ownFolders are Pawl's own folders, in which file tools never change anything without a
// question, should the user work there.
func ownFolders() []string {
	folders := settings.FindFolders()
	return []string{folders.Config, folders.Data, folders.State}
}

// readable refuses what file tools must not read of a folder: what the rules deny, and the file
// of keys that Pawl keeps, should the user work there.
func readable(r permission.Rules, folder string) func(path string) error {
	own := keys.File(settings.FindFolders().Data)
	real, err := filepath.EvalSymlinks(own)
	if err != nil {
		real = own
	}
	return func(path string) error {
		whole := filepath.FromSlash(path)
		if !filepath.IsAbs(whole) {
			whole = filepath.Join(folder, whole)
		}
		if strings.EqualFold(whole, own) || strings.EqualFold(whole, real) { // some file systems disregard case
			return fmt.Errorf("%s is not to be read: it holds keys", path)
		}
		return r.Reading(path)
	}
}
