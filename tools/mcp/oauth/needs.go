package oauth

import "fmt"

// Needed is the error of a request that a server refuses without a login.
type Needed struct {
	Server string
	Why    string // why the login that there was does not do; empty: there was none
}

func (n *Needed) Error() string {
	if n.Why != "" {
		return fmt.Sprintf("%s; log in again: %s", n.Why, n.Do())
	}
	return "needs a login: " + n.Do()
}

// Do is the command that logs in.
func (n *Needed) Do() string { return "pawl mcp login " + n.Server }
