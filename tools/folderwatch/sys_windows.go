package folderwatch

import (
	"errors"
	"io/fs"
)

// supported: Windows tells neither inodes nor the times at which files were changed.
const supported = false

type openDir struct{}

var errNone = errors.ErrUnsupported

func openTop(string) (openDir, error)                     { return openDir{}, errNone }
func (openDir) open(string) (openDir, error)              { return openDir{}, errNone }
func (openDir) below(string) (openDir, error)             { return openDir{}, errNone }
func (openDir) close()                                    {}
func (openDir) stamp() (stamp, error)                     { return stamp{}, errNone }
func (openDir) stat(string) (stamp, error)                { return stamp{}, errNone }
func (openDir) names(string) ([]fs.DirEntry, error)       { return nil, errNone }
func (openDir) readlink(string) (string, error)           { return "", errNone }
func (openDir) read(string, int64) ([]byte, stamp, error) { return nil, stamp{}, errNone }

func isFAT(string) bool { return false }

func fileNow() int64 { return fineNow() - tick }
