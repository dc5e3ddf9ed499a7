package rewind

import "pawl/lifecycle/files"

// Point is a record before which a session can be taken back.
type Point struct {
	files.Point
	Changed int // files of the folder that were changed since
}

// Points are the points of a log, the newest first, each with how many files of a folder were changed
// since.
func Points(log *files.Log, folder string) []Point {
	all, changes := log.Points(), log.Changes()
	points := make([]Point, 0, len(all))
	seen := map[string]bool{}
	for i := len(all) - 1; i >= 0; i-- {
		for len(changes) > 0 && changes[len(changes)-1].Seq >= all[i].Seq {
			if last := changes[len(changes)-1]; last.Folder == folder {
				seen[last.Path] = true
			}
			changes = changes[:len(changes)-1]
		}
		points = append(points, Point{all[i], len(seen)})
	}
	return points
}
