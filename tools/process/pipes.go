package process

import (
	"errors"
	"io"
	"os"
	"time"

	"pawl/internal/launch"
)

// pipes join Pawl with a helper: the program's output and the helper's report
// come out of two, and what is asked of the helper goes into the third. That one
// closes by itself when Pawl dies.
type pipes struct {
	output  *os.File
	reports *os.File
	control *os.File
}

// open makes them, and gives the ends that the helper gets: output, control,
// report. Who starts it closes those.
func (p *pipes) open() (theirs [3]*os.File, err error) {
	var all []*os.File
	pair := func() (read, write *os.File) {
		if err != nil {
			return nil, nil
		}
		if read, write, err = os.Pipe(); err == nil {
			all = append(all, read, write)
		}
		return read, write
	}
	p.output, theirs[0] = pair()
	theirs[1], p.control = pair()
	p.reports, theirs[2] = pair()
	if err != nil {
		closeFiles(all)
	}
	return theirs, err
}

func (p *pipes) close() { closeFiles([]*os.File{p.output, p.reports, p.control}) }

// tell hands a helper its confinement, before anything is asked of it. One that is
// gone has said why, or will be missed.
func (p *pipes) tell(c *launch.Confinement) { _, _ = p.control.Write(c.Encode()) }

// ask says whether the helper was there to hear it.
func (p *pipes) ask(what byte) bool {
	_, err := p.control.Write([]byte{what})
	return err == nil
}

// reportTries is how often a report is tried to be read: on a machine with far too much to do the deadline
// may pass before the reading has begun.
const reportTries = 3

// readReport reads what a helper has said that has ended. Nobody else ever had
// the pipe.
func (p *pipes) readReport() launch.Report {
	for try := 1; ; try++ {
		_ = p.reports.SetReadDeadline(time.Now().Add(drainGrace)) // a pipe takes deadlines
		text, err := io.ReadAll(p.reports)                        // a killed helper has said less
		if len(text) > 0 || try == reportTries || !errors.Is(err, os.ErrDeadlineExceeded) {
			return launch.ParseReport(string(text))
		}
	}
}

// limitOutput ends the reading of output that somebody holds open who could not
// be found.
func (p *pipes) limitOutput(grace time.Duration) {
	_ = p.output.SetReadDeadline(time.Now().Add(grace)) // a pipe takes deadlines
}

func closeFiles(files []*os.File) {
	for _, file := range files {
		_ = file.Close() // pipes; nothing is lost
	}
}
