package remote

import "errors"

// key asks for the key that a worker needs.
func (c *workerConn) key(m fromWorker) (string, error) {
	if c.host.Key == nil {
		return "", errors.New("nobody here knows the keys of providers")
	}
	return c.host.Key(c.ctx, m.Provider, m.Refused)
}
