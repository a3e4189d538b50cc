// Creates elements. Names from files become text, never markup.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children);
    return element;
}

/** Creates an HTML element with attributes, listeners (onclick) and children, which are elements or text. */
export function html(tag, attributes = {}, ...children) {
    return filled(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
    return filled(document.createElementNS(SVG, tag), attributes, children);
}

export const byId = (id) => document.getElementById(id);

/** Formats a number with separated thousands. */
export const counted = (number, decimals = 0) => number.toLocaleString("en", { minimumFractionDigits: decimals });

/** Formats bits as bytes, with a decimal if they are not whole. */
export const bytesText = (bits) => `${bits % 8 ? counted(Math.round(bits / 0.8) / 10, 1) : counted(bits / 8)} B`;
