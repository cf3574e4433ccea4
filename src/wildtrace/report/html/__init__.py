"""The interactive report: one HTML file with everything in it (docs/report.md, "report.html").

page      the document in its parts, and the order in which they are written
policy    what a browser may do with it
embed     data inside a page, plain or packed
tables    a Table as data for a page
cells     every answer's status and scores, and one packed record an item
charts    the figures made fit for a page: colours of the theme, a legend that can be pressed
assets/   the style sheet and the scripts, written into the page as they are
"""

from wildtrace.report.html.page import html_parts

__all__ = ["html_parts"]
