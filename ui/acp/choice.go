package acp

import (
	"context"

	sdk "github.com/coder/acp-go-sdk"
)

// The names of a session's choices in the protocol.
const (
	choiceMode  = "mode"
	choiceModel = "model"
)

// modes are the permission modes, for editors that do not support other choices.
func (s *session) modes() *sdk.SessionModeState {
	state := &sdk.SessionModeState{CurrentModeId: sdk.SessionModeId(s.Modes.Now())}
	for _, one := range s.Modes.All {
		state.AvailableModes = append(state.AvailableModes, sdk.SessionMode{Id: sdk.SessionModeId(one.Name), Name: one.Name, Description: sdk.Ptr(one.Means)})
	}
	return state
}

// configOptions are all choices. Editors that support them ignore modes.
func (s *session) configOptions() []sdk.SessionConfigOption {
	return []sdk.SessionConfigOption{
		s.Modes.config(choiceMode, "Permission mode", sdk.SessionConfigOptionCategoryMode),
		s.Models.config(choiceModel, "Model", sdk.SessionConfigOptionCategoryModel),
	}
}

func (c Choice) config(id, name string, category sdk.SessionConfigOptionCategory) sdk.SessionConfigOption {
	now := c.Now()
	options, there := sdk.SessionConfigSelectOptionsUngrouped{}, false
	for _, one := range c.All {
		option := sdk.SessionConfigSelectOption{Name: one.Name, Value: sdk.SessionConfigValueId(one.Name)}
		if one.Means != "" {
			option.Description = sdk.Ptr(one.Means)
		}
		options, there = append(options, option), there || one.Name == now
	}
	if !there { // a model that is not listed
		options = append(options, sdk.SessionConfigSelectOption{Name: now, Value: sdk.SessionConfigValueId(now)})
	}
	option := sdk.NewSessionConfigOptionSelect(sdk.SessionConfigValueId(now), sdk.SessionConfigSelectOptions{Ungrouped: &options})
	option.Select.Id, option.Select.Name, option.Select.Category = sdk.SessionConfigId(id), name, &category
	return option
}

// SetSessionMode implements sdk.Agent.
func (e *editor) SetSessionMode(ctx context.Context, r sdk.SetSessionModeRequest) (sdk.SetSessionModeResponse, error) {
	s, err := e.find(r.SessionId)
	if err != nil {
		return sdk.SetSessionModeResponse{}, err
	}
	if err := s.Modes.Set(ctx, string(r.ModeId)); err != nil {
		return sdk.SetSessionModeResponse{}, invalid("%v", err)
	}
	s.send(sdk.SessionUpdate{ConfigOptionUpdate: &sdk.SessionConfigOptionUpdate{ConfigOptions: s.configOptions()}})
	return sdk.SetSessionModeResponse{}, nil
}

// SetSessionConfigOption implements sdk.Agent.
func (e *editor) SetSessionConfigOption(ctx context.Context, r sdk.SetSessionConfigOptionRequest) (sdk.SetSessionConfigOptionResponse, error) {
	none := sdk.SetSessionConfigOptionResponse{}
	if r.ValueId == nil {
		return none, invalid("an option is set by the id of one of its values")
	}
	s, err := e.find(r.ValueId.SessionId)
	if err != nil {
		return none, err
	}
	choice := s.Modes
	switch r.ValueId.ConfigId {
	case choiceMode:
	case choiceModel:
		choice = s.Models
	default:
		return none, invalid("unknown choice %q: there are %s and %s", r.ValueId.ConfigId, choiceMode, choiceModel)
	}
	if err := choice.Set(ctx, string(r.ValueId.Value)); err != nil {
		return none, invalid("%v", err)
	}
	if r.ValueId.ConfigId == choiceMode {
		s.send(sdk.SessionUpdate{CurrentModeUpdate: &sdk.SessionCurrentModeUpdate{CurrentModeId: sdk.SessionModeId(s.Modes.Now())}})
	}
	return sdk.SetSessionConfigOptionResponse{ConfigOptions: s.configOptions()}, nil
}
