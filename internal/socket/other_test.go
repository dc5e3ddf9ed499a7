//go:build !linux && !windows

package socket

const canReachLongPaths = false
