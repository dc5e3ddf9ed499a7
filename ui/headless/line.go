package headless

import (
	"fmt"
	"io"
	"time"

	"pawl/agent/sanitize"
)

// tell writes one line for people: words of ours with values, those of others
// cleaned. What cannot be written is lost: there is nowhere else to say it.
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
