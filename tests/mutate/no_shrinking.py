"""A plugin of pytest: Hypothesis reports the first failure, because a smaller one is not needed here."""
from hypothesis import Phase, settings

settings.register_profile("no_shrinking", phases=[Phase.explicit, Phase.generate])
settings.load_profile("no_shrinking")
