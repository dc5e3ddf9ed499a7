package main

import "fmt"

type importCommand struct {
	File        string `arg:"" placeholder:"FILE" help:"What pawl export --format json wrote; - for standard input."`
	exportFlags `embed:""`
}

// Run opens an exported session: to look at, or to be written again.
func (c *importCommand) Run(ctx runContext, w *world, code *int) error {
	if !c.given() {
		return c.look(w)
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

// look is the import of a file that is only to be looked at.
func (c *importCommand) look(*world) error {
	return &usageError{fmt.Sprintf("a screen over %s needs a terminal: say how to write it, with --format md, html or json", c.File)}
}
