package main

type importCommand struct {
	File        string `arg:"" placeholder:"FILE" complete:"session or file" help:"What pawl export --format json wrote, - for standard input; or a session: its id, or how that begins or ends."`
	exportFlags `embed:""`
}

// Run opens an exported session: to look at, or to be written again.
func (c *importCommand) Run(ctx runContext, w *world, code *int) (err error) {
	if !c.given() {
		*code, err = showRecording(ctx, *w, c.File, nil)
		return err
	}
	if _, err := c.manner(); err != nil { // said before a long file is read
		return err
	}
	t, err := openRecording(ctx, *w, c.File)
	if err != nil {
		return err
	}
	defer t.close()
	*code, err = c.write(ctx, w, t.source, t.upto)
	return err
}
