package lifecycle

// DayCost is what all sessions of a user have cost in one calendar day, those of other
// processes and those removed since included. Requests whose price is unknown count nothing.
type DayCost struct {
	Day      string  `json:"day"` // 2006-01-02, in local time
	Cost     float64 `json:"cost_usd"`
	Sessions int     `json:"sessions"` // root sessions that have cost something that day
}
