package agent

import "pawl/lifecycle"

// NoticeText words a notification for the model.
func NoticeText(n lifecycle.Notice) string { return string(n.State) }
