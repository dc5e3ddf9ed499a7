//go:build unix && !linux

package folderwatch

// coarseNow is a time that no file changed from now on is older than.
func coarseNow() int64 { return fineNow() - tick }
