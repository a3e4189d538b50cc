// Loads the page again when `ossicle watch` has built its bank anew. The address remembers what was shown.

export function followChanges() {
    if (location.protocol === "http:") new EventSource("/changes").onmessage = () => location.reload();
}
