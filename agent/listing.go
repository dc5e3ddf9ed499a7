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
func (m ModelInfo) Fill(o ModelListing) ModelInfo {
	if m.Context == 0 {
		m.Context = o.Context
	}
	if m.Output == 0 {
		m.Output = o.Output
	}
	if m.Images == Unknown {
		m.Images = o.Images
	}
	if m.Thinking == Unknown {
		m.Thinking = o.Thinking
	}
	return m
}
