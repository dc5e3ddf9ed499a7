package agent

import "cmp"

// ModelListing is a model that a server offers, with what the server says about it. Zero
// means that it does not say.
type ModelListing struct {
	Name     string // the provider's own name, without the prefix
	Context  int    // tokens
	Output   int
	Images   Ability
	Thinking Ability
	Efforts  []string // as of ModelInfo
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
	m.Context, m.Output = cmp.Or(m.Context, o.Context), cmp.Or(m.Output, o.Output)
	m.Images, m.Thinking = cmp.Or(m.Images, o.Images), cmp.Or(m.Thinking, o.Thinking)
	if m.Efforts == nil {
		m.Efforts = o.Efforts
	}
	return m
}
