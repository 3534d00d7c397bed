// SPDX-License-Identifier: BSD-3-Clause
// modeway_rom.d.mts: types of modeway_rom.mjs.

/** What a call refused: `code` says what, `blame` names the entry of x or u, "" where none is to blame. */
export declare class ModewayError extends Error {
  readonly code: number;
  readonly blame: string;
}

/** The model in the bytes of a table; wasm: the bytes of modeway_rom.wasm, or a WebAssembly.Module. */
export declare function open(wasm: BufferSource | WebAssembly.Module, table: ArrayBuffer | ArrayLike<number>): Promise<Model>;

/** Counts: coordinates, elastic coordinates, states, accelerations, inputs, outputs. */
export interface Counts {
  readonly theta: number;
  readonly delta: number;
  readonly x: number;
  readonly acc: number;
  readonly u: number;
  readonly y: number;
}

/**
 * Small motions in the m elastic coordinates: z'' + D z' + K z = B f, outputs C z. Matrices are row-major: K, D [m × m],
 * B [m], C [n.y × m]; x [n.x] is the state at rest, y [n.y] its outputs.
 */
export interface Linear {
  readonly m: number;
  readonly K: Float64Array;
  readonly D: Float64Array;
  readonly B: Float64Array;
  readonly C: Float64Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
}

export declare class Model {
  private constructor();
  readonly title: string;
  readonly n: Counts;
  /** Names and units; SI, radians. */
  readonly xNames: string[];
  readonly xUnits: string[];
  readonly uNames: string[];
  readonly yNames: string[];
  /** Box of the coordinates. */
  readonly lo: number[];
  readonly hi: number[];
  /** State [n.x]: theta, delta, their rates; read and written in place. */
  x: Float64Array;
  /** Drive forces [n.u], N or N m. */
  u: Float64Array;
  /** Outputs [n.y] of the last outputs(), and their rates. */
  y: Float64Array;
  yDot: Float64Array;
  /** Accelerations [n.acc] of the last rhs(). */
  acc: Float64Array;
  /** One step of h seconds with u constant over it; x advances, unless an error is thrown. */
  step(h: number): void;
  /** Accelerations [n.acc] at x under u: x' = (rates, acc). */
  rhs(): Float64Array;
  /** Outputs y [n.y] at x; their rates are in yDot. */
  outputs(rates?: boolean): Float64Array;
  /** Views of the numbers that are linear in the model's coefficients, to be replaced by those at other values of parameters. */
  coefficients(): Float64Array[];
  /** A copy of the state. */
  state(): Float64Array;
  setState(x: ArrayLike<number>): void;
  /**
   * A step under u and a force along output `load`, or up to three forces along it and the next ones; coordinates of
   * the bits in `held` take their accelerations from thetaDdot.
   */
  driven(h: number, load: number, force: number | ArrayLike<number>, held: number, thetaDdot: ArrayLike<number>): void;
  /** About rest at theta, the coordinates held, without drive forces and laws, under a force along output `load`. */
  linear(theta: ArrayLike<number>, load?: number): Linear;
  /** Modes without damping: hz [m], ascending, NaN where K is not positive; rows [m × m], orthonormal, a mode each. */
  modes(linear: Linear): { hz: Float64Array; rows: Float64Array };
  /** Receptance of output k under the force of `linear` at frequencies hz (Hz). */
  receptance(linear: Linear, k: number, hz: ArrayLike<number>): { re: Float64Array; im: Float64Array };
}
