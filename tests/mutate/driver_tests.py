"""A plugin of pytest: only tests that ask a driver run, and Hypothesis reports the first failure."""
from hypothesis import Phase, settings
from pytest import Item

settings.register_profile("no_shrinking", phases=[Phase.explicit, Phase.generate])
settings.load_profile("no_shrinking")


def pytest_collection_modifyitems(items: list[Item]) -> None:
    items[:] = [item for item in items if "driver" in getattr(item, "fixturenames", ())]
