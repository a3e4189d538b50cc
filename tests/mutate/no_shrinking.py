"""A plugin of pytest: Hypothesis reports the first failure, as nobody reads a smaller one here."""
from hypothesis import Phase, settings

settings.register_profile("no_shrinking", phases=[Phase.explicit, Phase.generate])
settings.load_profile("no_shrinking")
