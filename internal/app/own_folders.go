package app

import "pawl/agent/settings"

// ownFolders are Pawl's own folders, in which file tools never change anything without a
// question, should the user work there.
func ownFolders() []string {
	folders := settings.FindFolders()
	return []string{folders.Config, folders.Data, folders.State}
}
