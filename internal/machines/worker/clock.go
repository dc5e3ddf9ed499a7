package worker

import "time"

var started = time.Now()
