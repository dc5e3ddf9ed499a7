package folderwatch

import (
	"errors"
	"io/fs"
)

// supported: Windows tells neither inodes nor the times at which files were changed.
const supported = false

type openDir struct{}

func openTop(string) (openDir, error)                     { return openDir{}, errors.ErrUnsupported }
func (openDir) close()                                    {}
func (openDir) fd() int                                   { return -1 }
func (openDir) open(string) (openDir, error)              { return openDir{}, errors.ErrUnsupported }
func (openDir) below(string) (openDir, error)             { return openDir{}, errors.ErrUnsupported }
func (openDir) stamp() (stamp, error)                     { return stamp{}, errors.ErrUnsupported }
func (openDir) stat(int, string) (stamp, error)           { return stamp{}, errors.ErrUnsupported }
func (openDir) names() ([]fs.DirEntry, error)             { return nil, errors.ErrUnsupported }
func (openDir) readlink(string) (string, error)           { return "", errors.ErrUnsupported }
func (openDir) read(string, int64) ([]byte, stamp, error) { return nil, stamp{}, errors.ErrUnsupported }
func fileSystemWithoutTimes(string) (why string)          { return "" }
func coarseNow() int64                                    { return 0 }
