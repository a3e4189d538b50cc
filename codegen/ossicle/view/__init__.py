"""The page of `ossicle view`."""
