package app

import "pawl/agent/settings"

// ownFolders are those in which no file tool changes anything without a question,
// should the user work in a folder that holds them.
func ownFolders() []string {
	folders := settings.FindFolders()
	return []string{folders.Config, folders.Data, folders.State}
}
