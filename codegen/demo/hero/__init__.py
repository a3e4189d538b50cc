"""The demo character: a biped whose skeleton, skin and motion are all computed from this source."""
