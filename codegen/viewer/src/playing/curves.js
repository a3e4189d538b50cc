// Joints that hold curves have values, and no place.

export const HOLDS_CURVES = -2; // in the list of parents
