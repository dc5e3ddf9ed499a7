// Package grants decides which questions need no person, and what a person's answer means
// for the questions after it.
//
//	Policy.Consider ──► the user's rules allow it? ──► granted
//	                ──► a grant that stands? the supervisor says so itself, and no hook is asked
//	                ──► the user's hooks ──► denied, or granted if no person has to say it
//	Policy.Settle   ──► a person's answer: how far it reaches, and what stands from then on
//	Policy.Reaches  ──► is what stands a yes to this question too?
//	Policy.Keep     ──► the rules of a yes for always, proposed anew from what is asked about
//
// It keeps nothing: lifecycle records what was decided, and holds what stands.
package grants
