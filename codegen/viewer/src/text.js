// Measures and shortens texts of pictures.

const context = document.createElement("canvas").getContext("2d");

/** Returns a text, shortened to a width in pixels: "" if fewer than three letters of it fit. */
export function fitting(text, width, size) {
    context.font = `${size}px system-ui, sans-serif`;
    const fits = (part) => context.measureText(part).width <= width;
    if (fits(text)) return text;
    const shortened = Array.from(text, (_, left) => `${text.slice(0, text.length - 1 - left)}…`);
    return shortened.find((part) => part.length > 3 && fits(part)) ?? "";
}
