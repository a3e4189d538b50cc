"""Options, keys, and the TOML files that contain them."""
