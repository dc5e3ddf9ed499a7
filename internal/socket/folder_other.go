//go:build !linux && !windows

package socket

import "errors"

func throughDescriptor(string, string, func(string) error) error { return errors.ErrUnsupported }
