package system

// Executable is the path of this program's file, valid even if the file was replaced.
func Executable() string { return "/proc/self/exe" }
