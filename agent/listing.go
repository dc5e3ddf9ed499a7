package agent

// ModelListing is a model that a server offers, with what the server says about it. Zero
// means that it does not say.
type ModelListing struct {
	Name     string // the provider's own name, without the prefix
	Context  int    // tokens
	Output   int
	Images   Ability
	Thinking Ability
}

// AbilityOf turns a known yes or no into an Ability.
func AbilityOf(yes bool) Ability {
	if yes {
		return Able
	}
	return Unable
}

// Fill takes over what the server says where nothing is known yet.
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
