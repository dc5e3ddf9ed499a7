package checkout

import (
	"errors"
	"time"
)

// signs: Windows tells neither. So nothing that was gathered is used again.
func signs(string) (changed time.Time, inode uint64, err error) {
	return time.Time{}, 0, errors.ErrUnsupported
}
