package folderwatch

import (
	"context"
	"math"
	"runtime"
	"time"
)

// Look says what it takes to watch a folder: how many files it has, and by how much each command
// would take longer. The error says why it is not watched. Nothing is kept.
func Look(ctx context.Context, path string, o Options) (files int, took time.Duration, err error) {
	w := &Watch{folder: path, options: o, budget: &budget{}, own: map[string]bool{}, ready: make(chan struct{}), learned: make(chan struct{}), top: &folder{path: "."}, writing: map[string]int{}}
	if err := w.open(); err != nil {
		return 0, 0, err
	}
	defer w.close()
	w.keeps.Store(true) // as a command does
	for _, limit := range []time.Duration{firstLimit, walkLimit} {
		began := time.Now()
		k := &walk{
			w: w, by: judge{first: func() int64 { return math.MaxInt64 }}, helpers: make(chan struct{}, runtime.GOMAXPROCS(0)-1),
			halted: func() error {
				if ctx.Err() == nil && time.Since(began) > limit {
					return errTooSlow
				}
				return context.Cause(ctx)
			},
		}
		if err := k.run(); err != nil {
			return 0, 0, err
		}
		files, took = int(k.files.Load()), time.Since(began)
	}
	return files, took, nil
}
