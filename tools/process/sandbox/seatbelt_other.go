//go:build !darwin

package sandbox

import "errors"

var errNoSeatbelt = errors.New("this system has no Seatbelt")

func seatbelt() error { return errNoSeatbelt }
