package headless

import (
	"fmt"
	"io"
	"time"

	"pawl/agent/sanitize"
)

// tell writes one line for people: a format of ours with values, of which strings are cleaned. A
// write error is ignored: there is nowhere else to report it.
func tell(w io.Writer, format string, values ...any) {
	for i, v := range values {
		switch v.(type) {
		case int, time.Duration:
		default:
			values[i] = sanitize.Line(sanitize.Ends(fmt.Sprint(v)))
		}
	}
	fmt.Fprintf(w, "pawl: "+format+"\n", values...)
}
