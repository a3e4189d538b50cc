// Reloads the page when `ossicle watch` has rebuilt its bank. The address contains the state of the page.

export function followChanges() {
    const { change } = document.documentElement.dataset; // from the server in codegen/ossicle/view/server.py
    if (change) new EventSource(`/changes-after/${change}`).onmessage = () => location.reload();
}
