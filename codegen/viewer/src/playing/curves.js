// Curve joints store values and have no position.

export const HOLDS_CURVES = -2; // in the list of parents
