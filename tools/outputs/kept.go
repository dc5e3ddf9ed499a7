package outputs

import (
	"fmt"

	"pawl/internal/words"
)

// Kept says where the whole of a text is that was too long for a model.
type Kept struct {
	Path string // empty: nowhere
	Size int64  // bytes of it that are there, from its start on
	Err  error  // why it is nowhere
}

// Gap is the line that stands in the place of what is left out: cut bytes of a text
// of total bytes.
func (k Kept) Gap(cut, total int64) string {
	where := ""
	switch {
	case k.Path != "" && k.Size < total:
		where = fmt.Sprintf("; its first %s are in %s, for read and grep", words.Size(k.Size), k.Path)
	case k.Path != "":
		where = fmt.Sprintf("; all of it is in %s, for read and grep", k.Path)
	case k.Err != nil:
		where = fmt.Sprintf("; the whole of it could not be kept: %v", k.Err)
	}
	return fmt.Sprintf("[… %d of %d bytes of output are left out here%s …]", cut, total, where)
}
