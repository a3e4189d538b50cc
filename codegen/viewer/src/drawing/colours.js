// The colours of errors: viridis, which is even and safe for the colour-blind, and red above the tolerance.

const STOPS = [
    [68, 1, 84],
    [71, 44, 122],
    [59, 81, 139],
    [44, 113, 142],
    [33, 144, 141],
    [39, 173, 129],
    [92, 200, 99],
    [170, 220, 50],
    [253, 231, 37],
];
export const STEPS = 127; // of an error as large as the tolerance: payload.ERROR_STEPS
const ABOVE = [230, 40, 40];

const MOST_STEP = 255;

/** Red, green, blue in 0..255 for each step of an error. */
export const ERROR_COLOURS = Array.from({ length: MOST_STEP + 1 }, (_, step) => {
    if (step > STEPS) return ABOVE;
    const at = (step / STEPS) * (STOPS.length - 1);
    const left = Math.min(Math.floor(at), STOPS.length - 2);
    return STOPS[left].map((from, i) => Math.round(from + (STOPS[left + 1][i] - from) * (at - left)));
});

/** Returns the index of an error's colour. Errors of coarse tiers have more steps than colours. */
export const shadeOf = (step) => Math.min(step, MOST_STEP);
