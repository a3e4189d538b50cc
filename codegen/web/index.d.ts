// Types of the package `ossicle`. Times are seconds, lengths metres. Numbers of a pose are the runtime's integers with 20
// bits after the point, rounded to floats: the same on every machine.

/** Floats of a joint that `writeLocal` writes: translation x y z, rotation x y z w, scale x y z. */
export const LOCAL_FLOATS: 10;

/** Floats of a joint that `writeModel` and `writeSkin` write: a 4x4 matrix, column after column, as three.js has it. */
export const MATRIX_FLOATS: 16;

/** The hash to begin with. */
export const HASH_START: number;

/** A bank that is refused, a clip that does not exist, a player in no state for a call. */
export class OssicleError extends Error {
    /** Such as `OSC_ERROR_CRC` (runtime/ossicle.h), `NOT_PLAYING` or `DISPOSED`. */
    readonly code: string;
}

/**
 * Compiles the runtime, once for all banks. `openBank` calls it unless your program already has.
 * @param source the module, its bytes, or its address; without it the file `ossicle.wasm` of the package.
 */
export function loadRuntime(source?: URL | string | ArrayBuffer | ArrayBufferView | WebAssembly.Module): Promise<void>;

/**
 * Opens a bank that `ossicle encode` has written: checks it completely and copies it. Rejects with an OssicleError if it
 * is damaged. The memory of the bank and its players is freed when none of them is referenced any more.
 */
export function openBank(bytes: ArrayBuffer | ArrayBufferView): Promise<Bank>;

export interface Joint {
    /** As in the source file; `joint N` in a bank without names. */
    readonly name: string;
    /** The number of the parent, which comes before its children; -1 for roots. */
    readonly parent: number;
}

export interface Clip {
    /** As in the source file; `clip N` in a bank without names. */
    readonly name: string;
    /** 32-bit FNV-1a of the name. */
    readonly hash: number;
    readonly frames: number;
    readonly framesPerSecond: number;
    /** From the first frame to the last. */
    readonly seconds: number;
    /** Whether the clip was encoded to loop. */
    readonly loop: boolean;
    /** Whether its poses are differences, for `Player.add`. */
    readonly additive: boolean;
    /** Whether its poses have to be mirrored, which this package does not do. */
    readonly mirrored: boolean;
}

export interface Bank {
    readonly joints: readonly Joint[];
    readonly clips: readonly Clip[];
    /** Whether the bank has inverse bind matrices, for `Player.writeSkin` (`--skin-matrices`). */
    readonly hasSkin: boolean;
    /** Returns the number of a clip. Throws an OssicleError that lists the clips if there is none. */
    findClip(clip: string | number): number;
    /** Returns a player, which has a clip, a clock and a pose of its own. */
    createPlayer(): Player;
}

export interface PlayOptions {
    /** How often the clip plays, or Infinity. Without it: forever if it was encoded to loop, otherwise once. */
    loops?: number;
    /** 1: as recorded; below 0: backward, from the last frame. -32767 to 32767. */
    speed?: number;
}

/** No function but `play` allocates. Poses are computed when they are read. */
export interface Player {
    readonly bank: Bank;
    /** The clip that plays, or null. */
    readonly clip: Clip | null;
    /** The time in the clip. */
    readonly seconds: number;
    /** The same in frames, in steps of 1/2048. */
    readonly frame: number;
    /** Whether the last loop has ended; the pose is then that of the end. */
    readonly finished: boolean;
    /** Starts a clip, by its name or number. Returns the player. */
    play(clip: string | number, options?: PlayOptions): this;
    setSpeed(speed: number): void;
    /** Advances the clock, 0 to 2147 s. It counts microseconds and keeps the rest. */
    advance(seconds: number): void;
    /** Moves to a time, or to the end of the clip if that is later. Loops are not counted. */
    seek(seconds: number): void;
    /** The same in frames, rounded to 1/2048. */
    seekFrame(frame: number): void;
    /** Blends the pose of another player into this one's until it moves: 0 keeps it, 1 takes the other's. */
    blend(player: Player, weight: number): void;
    /** Adds the pose of a player of an additive clip to this one's until it moves. */
    add(player: Player, weight?: number): void;
    /** Writes the transform of each joint relative to its parent: LOCAL_FLOATS each. Returns `out`. */
    writeLocal(out: Float32Array, offset?: number): Float32Array;
    /** Writes the matrix from each joint's space to the character's: MATRIX_FLOATS each. Returns `out`. */
    writeModel(out: Float32Array, offset?: number): Float32Array;
    /** Writes skinning matrices, in the order of the joints: MATRIX_FLOATS each. Returns `out`. */
    writeSkin(out: Float32Array, offset?: number): Float32Array;
    /** Continues a hash over the pose, for replays and lockstep games: the number that every other machine gets. */
    hash(hash?: number): number;
    /** Lets the bank's next player use the memory. */
    dispose(): void;
}
