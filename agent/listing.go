package agent

// ModelListing is a model that a server has, with what the server says of it. A zero is
// what it does not say.
type ModelListing struct {
	Name     string // the provider's own, without the prefix
	Context  int    // tokens
	Output   int
	Images   Ability
	Thinking Ability
}

// AbilityOf is a server's plain yes or no.
func AbilityOf(yes bool) Ability {
	if yes {
		return Able
	}
	return Unable
}

// Fill takes the server's word where the traits know nothing.
func (t ModelInfo) Fill(o ModelListing) ModelInfo {
	if t.Context == 0 {
		t.Context = o.Context
	}
	if t.Output == 0 {
		t.Output = o.Output
	}
	if t.Images == Unknown {
		t.Images = o.Images
	}
	if t.Thinking == Unknown {
		t.Thinking = o.Thinking
	}
	return t
}
