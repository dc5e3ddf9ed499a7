//go:build windows

package front

// Main does nothing: the guard says that Windows is not supported.
func Main() {}
