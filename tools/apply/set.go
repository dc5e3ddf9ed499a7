package apply

import "pawl/lifecycle"

// File is one file to be put in place.
type File struct {
	Path   string              `json:"path"`   // relative to the folder, with slashes, no links in it
	Expect lifecycle.FileState `json:"expect"` // what must stand there now
	Want   lifecycle.FileState `json:"want"`   // what is to stand there
}

// Set is what one operation puts in place.
type Set struct {
	Operation lifecycle.OperationID `json:"operation"`
	Folder    string                `json:"folder"` // absolute, without links
	After     lifecycle.Seq         `json:"after"`  // the last record of the session before the operation
	Files     []File                `json:"files"`
}

// Contents are the bytes of files, by their hash. A *filestore.Store is one.
type Contents interface {
	Read(hash string) ([]byte, error)
	Keep(content []byte, like string) (hash string, err error)
	Sync() error
}
