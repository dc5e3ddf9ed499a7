package base

// PrintJSON prints a value as JSON, masked, for a command that needs nothing else of a Base.
func PrintJSON(w World, value any) error {
	b, err := New(w)
	if err != nil {
		return err
	}
	defer b.Close()
	return b.Models.Hide().Encode(w.Out, value)
}
