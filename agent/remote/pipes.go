package remote

import "os"

// pipes are the two pipes between Pawl and a worker.
type pipes struct {
	childIn, toChild    *os.File
	fromChild, childOut *os.File
}

func newPipes() (*pipes, error) {
	p := &pipes{}
	var err error
	if p.childIn, p.toChild, err = os.Pipe(); err != nil {
		return nil, err
	}
	if p.fromChild, p.childOut, err = os.Pipe(); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// close closes those ends that are open.
func (p *pipes) close() {
	for _, end := range []*os.File{p.childIn, p.toChild, p.fromChild, p.childOut} {
		end.Close() // nil or closed ends return an error
	}
}
