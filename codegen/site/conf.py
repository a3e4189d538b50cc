"""How Sphinx makes the site from the pages that tools.site has gathered. Nothing is loaded from another host."""
project = "Ossicle"
author = copyright = "the Ossicle authors"
extensions = ["myst_parser", "sphinx_inline_tabs"]
root_doc = "index"
html_theme = "furo"
html_title = "Ossicle"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["extra"]
html_copy_source = html_show_sourcelink = html_show_sphinx = False
exclude_patterns = ["extra"]
myst_heading_anchors = 5  # those of GitHub, which links of pages name
smartquotes = False  # quotes in pages are often part of code
suppress_warnings = ["misc.highlighting_failure", "myst.header"]
pygments_style, pygments_dark_style = "xcode", "github-dark"
