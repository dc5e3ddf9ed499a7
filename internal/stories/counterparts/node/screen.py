"""The terminal of pyte, with the same input and output as xterm.mjs."""

import base64
import json
import sys

import pyte



class Screen(pyte.Screen):
    """pyte knows no scrolling up and down (SU, SD): it is deleting and inserting lines at the top margin."""

    def scroll(self, change, count):
        margins, at = self.margins or (0, self.lines - 1), (self.cursor.x, self.cursor.y)
        self.cursor.y = margins[0]
        change(count)
        self.cursor.x, self.cursor.y = at

    def scroll_up(self, count=1):
        self.scroll(self.delete_lines, count)

    def scroll_down(self, count=1):
        self.scroll(self.insert_lines, count)


class Stream(pyte.ByteStream):
    csi = {**pyte.ByteStream.csi, "S": "scroll_up", "T": "scroll_down"}
    events = pyte.ByteStream.events | {"scroll_up", "scroll_down"}


screen = Screen(80, 24)
stream = Stream(screen)
for line in sys.stdin:
    step = json.loads(line)
    if "size" in step:
        screen.resize(columns=step["size"][0], lines=step["size"][1])
    if "bytes" in step:
        stream.feed(base64.b64decode(step["bytes"]))
    if "look" in step:
        lines = [shown.rstrip() for shown in screen.display]
        print(json.dumps({"lines": lines, "cursor": [screen.cursor.x, screen.cursor.y]}))
