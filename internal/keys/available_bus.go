//go:build !windows && !darwin

package keys

import (
	"os"
	"strconv"
)

// available reports whether there is a session bus, behind which a key ring may be. Without one
// the library would start a bus of its own.
func available() bool {
	address := os.Getenv("DBUS_SESSION_BUS_ADDRESS")
	if address != "" && address != "autolaunch:" {
		return true
	}
	_, err := os.Stat("/run/user/" + strconv.Itoa(os.Getuid()) + "/bus")
	return err == nil
}
