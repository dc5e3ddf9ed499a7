//go:build windows || darwin

package keys

func available() bool { return true }
