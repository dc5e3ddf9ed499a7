package changes

// Click is a click on a place of the last picture: on a file it chooses that, on a line of the diff it
// gives the cursor to it. It reports whether anything was there.
func (v *View) Click(x, y int) bool {
	if at := y - v.hits.list; at >= 0 && at < v.hits.rows && x < v.hits.left {
		if v.rows[v.first+at].file == nil {
			return false
		}
		v.at, v.InDiff = v.first+at, false
		return true
	}
	l := v.lines()
	if at := y - v.hits.diff; l != nil && at >= 0 && at < len(v.hits.lineRows) && x >= v.hits.diffX {
		l.at, v.InDiff = v.hits.lineRows[at], true
		return true
	}
	return false
}

// Wheel moves in what is under the mouse, by some lines.
func (v *View) Wheel(x, y, by int) {
	in := v.InDiff
	v.InDiff = v.hits.diffRows > 0 && y >= v.hits.diff && x >= v.hits.diffX
	v.Step(by)
	v.InDiff = in
}

// Width is how wide the diff is.
func (v *View) Width() int { return v.hits.diffWidth }
