"""Corrects a transferred motion: feet on the ground, hands near each other, hips and twists."""
