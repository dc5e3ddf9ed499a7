package remote

import "errors"

// key asks for the key that a worker needs, which passes a pipe that others can read only sealed.
func (c *workerConn) key(m fromWorker) (key string, sealed []byte, err error) {
	if c.host.Key == nil {
		return "", nil, errors.New("nobody here knows the keys of providers")
	}
	refused := m.Refused
	if c.seal != nil && m.Sealed != nil {
		if refused, err = c.seal.open(refusedOf(m.Provider), m.Sealed); err != nil {
			return "", nil, err
		}
	}
	key, err = c.host.Key(c.ctx, m.Provider, refused)
	if err != nil || key == "" || c.seal == nil {
		return key, nil, err
	}
	sealed, err = c.seal.seal(keyOf(m.Provider), key)
	return "", sealed, err
}
