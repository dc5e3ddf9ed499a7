package worker

import "os"

// pipes are the two pipes between this worker and the process of a run.
type pipes struct {
	childIn, toChild    *os.File
	fromChild, childOut *os.File
}

func newPipes() (p pipes, err error) {
	if p.childIn, p.toChild, err = os.Pipe(); err != nil {
		return p, err
	}
	p.fromChild, p.childOut, err = os.Pipe()
	return p, err
}

// closeChild closes the process's ends.
func (p pipes) closeChild() {
	p.childIn.Close() // nil or closed ends return an error
	p.childOut.Close()
}

// close closes what is open.
func (p pipes) close() {
	p.closeChild()
	p.toChild.Close()
	p.fromChild.Close()
}
