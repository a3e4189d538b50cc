"""The codecs of published schemes: runtime/published."""
