"""The section of animation graphs: its records, their checks, and what they need of memory and time."""
