package git

// noFollow: Windows is not supported, and nothing is opened there.
const noFollow = 0
