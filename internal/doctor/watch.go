package doctor

import (
	"context"
	"fmt"
	"time"

	"pawl/internal/words"
	"pawl/store"
	"pawl/tools/folderwatch"
)

// examineWatch reports whether what commands change in this folder is found, and what that takes.
func (e *Examination) examineWatch(ctx context.Context) {
	found := Finding{Name: "commands", Level: levelOK}
	files, took, err := folderwatch.Look(ctx, e.world.Folder, folderwatch.Options{
		NetworkFileSystem: store.NetworkFileSystem, Own: []string{e.folders.Config, e.folders.Data, e.folders.State},
	})
	if err != nil {
		found.Level, found.Says = levelNote, "what commands change in this folder is not found: "+err.Error()
		found.Do = "changes by write and edit are recorded all the same"
	} else {
		found.Says = fmt.Sprintf("what they change in this folder is found: a look at its %s takes %s", words.Count(files, "file"), max(took.Round(time.Millisecond), time.Millisecond))
		found.Value = files
	}
	e.add("Changes", found)
}
