// Loads the page again when `ossicle watch` has rebuilt its bank. The address remembers what was shown.

export function followChanges() {
    const { change } = document.documentElement.dataset; // of the server in codegen/ossicle/view/server.py
    if (change) new EventSource(`/changes-after/${change}`).onmessage = () => location.reload();
}
