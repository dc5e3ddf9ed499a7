package host

// Exit codes that belong to the command line itself; those of a prompt are
// headless's.
const (
	ExitDone  = 0
	ExitError = 1
	ExitUsage = 2
)

// UsageError is a mistake on the command line or in the settings: exit code 2.
type UsageError struct {
	// Message is what the user reads: a line, or a line for each setting that cannot be used.
	Message string
}

func (e *UsageError) Error() string { return e.Message }

// Usage is a UsageError that says message.
func Usage(message string) error { return &UsageError{Message: message} }
