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

/** Returns a name with the places at which it may be divided: after separators, and before capital letters. */
export function breakable(name) {
    const parts = name.split(/(?<=[_.:\-/])(?=[^_.:\-/])|(?<=[a-z0-9])(?=[A-Z])/);
    return parts.flatMap((part, index) => (index === 0 ? [part] : [html("wbr"), part]));
}

/** Returns a bar for a share. Its full length is 1; above it, the bar changes its colour. */
export const bar = (share) =>
    html("span", {
        class: share > 1 ? "bar above" : "bar",
        style: `--share: ${Math.min(share, 1).toFixed(3)}`,
        "aria-hidden": "true",
    });

export const byId = (id) => document.getElementById(id);

/** Formats a number with separated thousands. */
export const counted = (number, decimals = 0) => number.toLocaleString("en", { minimumFractionDigits: decimals });

/** Formats bits as bytes, with a decimal if they are not whole. */
export const bytesText = (bits) => `${bits % 8 ? counted(Math.round(bits / 0.8) / 10, 1) : counted(bits / 8)} B`;
