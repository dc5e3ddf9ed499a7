package folderwatch

import "context"

// fromGit is git, started to be asked for blobs once: its start takes as long as a walk, so the two
// go side by side.
type fromGit struct {
	ids    chan [][20]byte
	answer chan gitAnswer
}

type gitAnswer struct {
	blobs map[[20]byte][]byte
	err   error
}

// startGit starts git where it can be asked; nil: it cannot. ask must be called.
func (w *Watch) startGit(ctx context.Context) *fromGit {
	if w.options.Repository == nil {
		return nil
	}
	g := &fromGit{ids: make(chan [][20]byte, 1), answer: make(chan gitAnswer, 1)}
	w.background.Go(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), walkLimit+keepLimit)
		defer cancel()
		repository, err := w.options.Repository()
		if err != nil {
			g.answer <- gitAnswer{err: err}
			return
		}
		blobs, err := repository.Blobs(ctx, func() [][20]byte { return <-g.ids })
		g.answer <- gitAnswer{blobs, err}
	})
	return g
}

// ask asks for blobs, for none to let git end.
func (g *fromGit) ask(ctx context.Context, ids [][20]byte) gitAnswer {
	g.ids <- ids
	if len(ids) == 0 {
		return gitAnswer{}
	}
	select {
	case answer := <-g.answer:
		return answer
	case <-ctx.Done():
		return gitAnswer{err: errKeepLimit}
	}
}
