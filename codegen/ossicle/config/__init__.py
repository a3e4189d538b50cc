"""Options, keys and the TOML files that state them."""
