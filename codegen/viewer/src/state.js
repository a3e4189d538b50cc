// The state of the page, in one place. Parts change it and are notified of changes.

export class State {
    constructor(values) {
        this.values = values;
        this.listeners = [];
    }

    get(name) {
        return this.values[name];
    }

    /** Changes some values and notifies their watchers. */
    set(changes) {
        const changed = Object.keys(changes).filter((name) => this.values[name] !== changes[name]);
        Object.assign(this.values, changes);
        for (const { names, tell } of this.listeners) {
            if (names.some((name) => changed.includes(name))) tell(this.values);
        }
    }

    /** Calls a function now, and whenever one of these values changes. */
    watch(names, tell) {
        this.listeners.push({ names, tell });
        tell(this.values);
    }
}
