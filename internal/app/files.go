package app

import (
	"log/slog"

	"pawl/tools/filestore"
)

func closeFiles(files *filestore.Store) {
	if err := files.Close(); err != nil {
		slog.Error("close the file store", "error", err)
	}
}
