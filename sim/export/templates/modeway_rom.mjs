// SPDX-License-Identifier: BSD-3-Clause
// modeway_rom.mjs: reduced models of modeway in JavaScript: a table (NAME.table) run by modeway_rom.wasm.
//
//   x' = f(x, u)      x: theta, delta, their rates      u: drive forces      y(x): outputs and drive coordinates
// SI units, radians. Steps give the bits of modeway's own. In browsers and node; nothing else is needed.
// Matrices are row-major. Views (x, u, y, …) are of the module's memory: read and written in place.

/** What a call refused: `code` and `text` say what, `blame` names the entry of x or u, "" where none is. */
export class ModewayError extends Error {
  constructor(code, text, blame) {
    super(blame ? `${text} (${blame})` : text);
    this.name = "ModewayError";
    this.code = code;
    this.blame = blame;
  }
}

const HZ_AT_ONCE = 256;  // frequencies a call of modeway_rom_receptance

const up = (n) => (n + 63) & ~63;

/** The model in the bytes of a table; wasm: the bytes of modeway_rom.wasm, or a WebAssembly.Module. */
export async function open(wasm, table) {
  const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
  return new Model(await WebAssembly.instantiate(module, {}), new Uint8Array(table));
}

export class Model {
  #call;
  #memory;
  #top;
  #rom;
  #blame;
  #work;
  #loaded = null;

  constructor(instance, table) {
    this.#call = instance.exports;
    this.#memory = instance.exports.memory;
    this.#top = up(instance.exports.__heap_base.value);
    this.#open(table);
    this.#name();
    const n = this.n;
    this.#blame = this.#reserve(4);
    const at = [n.x, n.u + 1, n.y, n.y, n.acc].map((k) => this.#reserve(8 * k));
    const sens = this.#sizes.sens;
    this.#work = this.#reserve(8 * sens);
    const of = (k, count) => new Float64Array(this.#memory.buffer, at[k], count);
    this.at = at;
    /** State [n.x], drive forces [n.u]. */
    this.x = of(0, n.x);
    this.u = of(1, n.u);
    this.y = of(2, n.y);
    this.yDot = of(3, n.y);
    this.acc = of(4, n.acc);
  }

  #sizes = null;

  // The address of n bytes more, zero. Grows the memory: views made before are void.
  #reserve(n) {
    const at = this.#top;
    this.#top = up(at + Math.max(n, 8));
    const more = this.#top - this.#memory.buffer.byteLength;
    if (more > 0) this.#memory.grow(Math.ceil(more / 65536));
    return at;
  }

  #text(at) {
    const bytes = new Uint8Array(this.#memory.buffer, at);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  #open(table) {
    const call = this.#call;
    const bytes = this.#reserve(table.length);
    const out = this.#reserve(8);
    new Uint8Array(this.#memory.buffer).set(table, bytes);
    const view = () => new DataView(this.#memory.buffer);
    let code = call.modeway_rom_open(bytes, table.length, 0, out, out + 4);
    if (code === 0) {
      const memory = this.#reserve(view().getUint32(out, true));
      code = call.modeway_rom_open(bytes, table.length, memory, out, out + 4);
    }
    if (code !== 0) throw new ModewayError(code, this.#text(call.modeway_rom_table_name(code)), "");
    this.#rom = view().getUint32(out + 4, true);
  }

  #name() {
    const call = this.#call;
    const out = this.#reserve(64);
    call.modeway_rom_sizes_of(out, this.#rom);
    const z = new Uint32Array(this.#memory.buffer, out, 8);
    /** Counts: coordinates, elastic coordinates, states, accelerations, inputs, outputs. */
    this.n = { theta: z[0], delta: z[1], x: z[2], acc: z[3], u: z[4], y: z[5] };
    this.#sizes = { work: z[6], sens: z[7] };
    const names = (n, f) => Array.from({ length: n }, (_, k) => this.#text(f(this.#rom, k)));
    this.title = this.#text(call.modeway_rom_title(this.#rom));
    this.xNames = names(this.n.x, call.modeway_rom_x_name);
    this.xUnits = names(this.n.x, call.modeway_rom_x_unit);
    this.uNames = names(this.n.u, call.modeway_rom_u_name);
    this.yNames = names(this.n.y, call.modeway_rom_y_name);
    /** Box of the coordinates. */
    this.lo = [];
    this.hi = [];
    for (let i = 0; i < this.n.theta; i++) {
      call.modeway_rom_box(this.#rom, i, out, out + 8);
      const box = new Float64Array(this.#memory.buffer, out, 2);
      this.lo.push(box[0]);
      this.hi.push(box[1]);
    }
  }

  #check(code) {
    if (code === 0) return;
    const k = new Int32Array(this.#memory.buffer, this.#blame, 1)[0];
    const name = k < 0 ? "" : k < this.n.x ? this.xNames[k] : (this.uNames[k - this.n.x] ?? "");
    throw new ModewayError(code, this.#text(this.#call.modeway_rom_code_name(code)), name);
  }

  /** One step of h seconds with u constant over it; x advances, unless an error is thrown. */
  step(h) {
    const [x, u] = this.at;
    this.#check(this.#call.modeway_rom_step(this.#rom, h, u, x, this.#work, this.#blame));
  }

  /** Accelerations [n.acc] at x under u: x' = (rates, acc). */
  rhs() {
    const [x, u, , , acc] = this.at;
    this.#check(this.#call.modeway_rom_rhs(this.#rom, x, u, acc, this.#work, this.#blame));
    return this.acc;
  }

  /** Outputs y [n.y] at x; their rates are in yDot, unless they are not asked for, which takes less. */
  outputs(rates = true) {
    const [x, , y, yDot] = this.at;
    this.#check(this.#call.modeway_rom_outputs(this.#rom, x, y, rates ? yDot : 0, this.#work, this.#blame));
    return this.y;
  }

  /** A copy of the state. */
  state() {
    return this.x.slice();
  }

  setState(x) {
    if (x.length !== this.n.x) throw new RangeError(`found ${x.length} numbers, expected ${this.n.x}`);
    this.x.set(x);
  }

  /**
   * Views of the numbers that are linear in the model's coefficients, of the whole table or of one train after the other, to be
   * replaced by those at other values of parameters.
   */
  coefficients() {
    const views = [], at = this.at[3];
    for (;;) {
      const address = this.#call.modeway_rom_coefficients(this.#rom, views.length, at);
      if (address === 0) return views;
      views.push(new Float64Array(this.#memory.buffer, address, new Uint32Array(this.#memory.buffer, at, 1)[0]));
    }
  }

  // Memory of the calls below, once they are needed.
  #extra() {
    if (this.#loaded) return this.#loaded;
    const n = this.n;
    const m = n.delta;
    const count = { u: n.u + 3, x: n.x, theta: n.theta, linear: 2 * m * m + m + n.y * m + n.y, K: m * m, D: m * m, B: m, C: m, V: m * m, square: m,
      hz: HZ_AT_ONCE, h: 2 * HZ_AT_ONCE, small: 2 * m * m + 2 * m, work: this.#call.modeway_rom_loaded_work(this.#rom) };
    const at = {};
    for (const key of Object.keys(count)) at[key] = this.#reserve(8 * count[key]);
    this.#loaded = { at };
    for (const key of Object.keys(count))
      this.#loaded[key] = new Float64Array(this.#memory.buffer, at[key], count[key]);
    // the memory may have grown
    const old = this.at;
    const of = (k, m) => new Float64Array(this.#memory.buffer, old[k], m);
    this.x = of(0, n.x);
    this.u = of(1, n.u);
    this.y = of(2, n.y);
    this.yDot = of(3, n.y);
    this.acc = of(4, n.acc);
    return this.#loaded;
  }

  /**
   * A step under u and a force along output `load`, or up to three forces along it and the next ones; coordinates of
   * the bits in `held` take their accelerations from thetaDdot.
   */
  driven(h, load, force, held, thetaDdot) {
    const e = this.#extra(), forces = typeof force === "number" ? [force] : force;
    if (forces.length > 3) throw new RangeError(`found ${forces.length} forces, expected at most 3`);
    e.u.set(this.u);
    e.u.set(forces, this.n.u);
    e.theta.set(thetaDdot);
    this.#check(this.#call.modeway_rom_driven(this.#rom, h, e.at.u, load, forces.length, held, e.at.theta, this.at[0],
      e.at.work, this.#blame));
  }

  /**
   * Small motions about rest at theta, the coordinates held, without drive forces and laws, in the n = n.delta
   * elastic coordinates: z'' + D z' + K z = B f, with f a force along output `load` and outputs C z; x: rest.
   */
  linear(theta, load = 0) {
    const e = this.#extra();
    const { n } = this;
    const m = n.delta, a = e.at;
    e.theta.set(theta);
    const code = this.#call.modeway_rom_linear(this.#rom, a.theta, load, a.x, a.linear, a.work);
    new Int32Array(this.#memory.buffer, this.#blame, 1)[0] = -1;
    this.#check(code);
    let from = 0;
    const next = (count) => e.linear.slice(from, from += count);
    return { m, K: next(m * m), D: next(m * m), B: next(m), C: next(n.y * m), y: next(n.y), x: e.x.slice() };
  }

  /** Modes of `linear` without damping: hz [m], ascending, NaN where K is not positive; rows [m × m], orthonormal. */
  modes(linear) {
    const e = this.#extra(), a = e.at;
    e.K.set(linear.K);
    if (this.#call.modeway_rom_modes(linear.m, a.K, a.square, a.V) !== 0) throw new ModewayError(-1, "the modes are not found", "");
    return { hz: Float64Array.from(e.square, (k) => Math.sqrt(k) / (2 * Math.PI)), rows: e.V.slice() };
  }

  /** Receptance of output k under the force of `linear` at frequencies hz: { re, im }, (K - w^2 + i w D)^-1 B seen by C. */
  receptance(linear, k, hz) {
    const e = this.#extra(), a = e.at, m = linear.m;
    const re = new Float64Array(hz.length), im = new Float64Array(hz.length);
    e.K.set(linear.K);
    e.D.set(linear.D);
    e.B.set(linear.B);
    e.C.set(linear.C.subarray(k * m, (k + 1) * m));
    for (let from = 0; from < hz.length; from += HZ_AT_ONCE) {
      const n = Math.min(HZ_AT_ONCE, hz.length - from);
      for (let f = 0; f < n; f++) e.hz[f] = hz[from + f];
      this.#call.modeway_rom_receptance(m, a.K, a.D, a.B, a.C, n, a.hz, a.h, a.small);
      for (let f = 0; f < n; f++) [re[from + f], im[from + f]] = [e.h[2 * f], e.h[2 * f + 1]];
    }
    return { re, im };
  }
}
