package host

import (
	"context"
	"io"

	"pawl/internal/handover"
	"pawl/ui"
	"pawl/ui/terminal"
)

// lentTerminal is the terminal of a front as screens take it.
type lentTerminal struct {
	in      io.Reader
	out     io.Writer
	environ []string
	suspend func(context.Context) error
	sizes   <-chan ui.Size
	untidy  func()
}

// fill puts the terminal into the options of a screen.
func (t lentTerminal) fill(o ui.Options) ui.Options {
	o.In, o.Out, o.Env, o.Suspend, o.Sizes, o.Untidy = t.in, t.out, t.environ, t.suspend, t.sizes, t.untidy
	return o
}

// withTerminal runs a screen on the terminal of a front. The session, if it is one's, is what the
// front names if this process is gone without a word.
func withTerminal(ctx context.Context, front *handover.Conn, session string, run func(context.Context, lentTerminal) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := lentTerminal{environ: front.Environ(), suspend: front.Suspend, untidy: front.Untidy}
	t.in, t.out = front.Terminal()
	sizes := make(chan ui.Size)
	t.sizes = sizes
	go passSizes(ctx, front, sizes)
	front.Shown(session, terminal.LookOf(t.out, t.environ).Bar)
	front.KeepOutput()
	defer front.KeepOutput() // what an editor or a shell set meanwhile
	return run(ctx, t)
}

// passSizes passes the sizes of a front's terminal on to its screen.
func passSizes(ctx context.Context, front *handover.Conn, to chan<- ui.Size) {
	for {
		select {
		case size := <-front.Sizes():
			select {
			case to <- ui.Size{Width: size.Width, Height: size.Height}:
			case <-ctx.Done():
				return
			}
		case <-ctx.Done():
			return
		}
	}
}
