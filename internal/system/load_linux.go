package system

import (
	"os"
	"strconv"
	"strings"
)

// Load is how many processes have run or waited for a processor over the last minute; negative
// where the system does not say.
func Load() float64 {
	text, err := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(text), " ")
	load, wrong := strconv.ParseFloat(first, 64)
	if err != nil || wrong != nil {
		return -1
	}
	return load
}
