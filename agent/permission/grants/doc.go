// Package grants decides which questions can be answered without a person, and what a
// person's answer means for later questions.
//
//	Policy.Consider ──► the user's rules allow it? ──► granted
//	                ──► a standing grant? the supervisor applies it, and no hook is run
//	                ──► the user's hooks ──► denied, or granted unless it needs a person
//	Policy.Settle   ──► a person's answer: its scope, and the standing grants it creates
//	Policy.Reaches  ──► does a standing grant cover this question?
//	Policy.Keep     ──► the rules of "always", proposed anew from the question
//
// It has no state: lifecycle records the decisions and holds the standing grants.
package grants
