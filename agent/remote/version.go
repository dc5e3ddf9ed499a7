package remote

import "fmt"

// versionError means that the other end of the pipe is another version of Pawl.
type versionError struct{ theirs int } // the other end's protocol; 0: it sent none

func (e *versionError) Error() string {
	if e.theirs == 0 {
		return fmt.Sprintf("its process is not this version of Pawl (it names no protocol, this one speaks %d): quit Pawl and start it again", Protocol)
	}
	return fmt.Sprintf("its process is another version of Pawl (it speaks protocol %d, this one %d): quit Pawl and start it again", e.theirs, Protocol)
}
