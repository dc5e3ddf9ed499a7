package remote

import "os"

// pipes are the two between Pawl and a worker, both ends of each.
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

// close closes what is open of them.
func (p *pipes) close() {
	for _, end := range []*os.File{p.childIn, p.toChild, p.fromChild, p.childOut} {
		end.Close() // nil, or closed already, is an error that says so
	}
}
