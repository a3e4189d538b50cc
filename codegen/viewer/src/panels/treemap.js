// Squarified treemaps (Bruls, Huizing and van Wijk, 2000): rectangles with areas in proportion to their values, as
// square as possible.

/** Returns the worst side ratio of a row of areas along a side. */
function worst(areas, sum, side) {
    const thickness = sum / side;
    return Math.max(...areas.map((area) => Math.max(thickness ** 2 / area, area / thickness ** 2)));
}

/** Returns [{item, x, y, width, height}] for items with a positive `value`, the largest first. */
export function squarified(items, width, height) {
    const positive = items.filter((item) => item.value > 0).sort((a, b) => b.value - a.value);
    const total = positive.reduce((sum, item) => sum + item.value, 0);
    const places = [];
    let box = { x: 0, y: 0, width, height };
    let next = 0;
    while (next < positive.length) {
        const side = Math.min(box.width, box.height);
        const areas = [];
        let sum = 0;
        for (let end = next; end < positive.length; end++) {
            const area = (positive[end].value / total) * width * height;
            if (areas.length && worst([...areas, area], sum + area, side) > worst(areas, sum, side)) break;
            areas.push(area);
            sum += area;
        }
        const thickness = side > 0 ? sum / side : 0;
        const upright = box.width >= box.height;
        let along = 0;
        areas.forEach((area, i) => {
            const length = thickness > 0 ? area / thickness : 0;
            places.push({
                item: positive[next + i],
                x: box.x + (upright ? 0 : along),
                y: box.y + (upright ? along : 0),
                width: upright ? thickness : length,
                height: upright ? length : thickness,
            });
            along += length;
        });
        box = upright
            ? { ...box, x: box.x + thickness, width: box.width - thickness }
            : { ...box, y: box.y + thickness, height: box.height - thickness };
        next += areas.length;
    }
    return places;
}
