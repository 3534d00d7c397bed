// SPDX-License-Identifier: BSD-3-Clause
// page_types.mts: what modeway_rom.d.mts lets pass, and what not; read by TypeScript's compiler, not run.
import { open, ModewayError, type Linear, type Model } from "./modeway_rom.mjs";

const model: Model = await open(new Uint8Array(8), new Uint8Array(8));
model.u[0] = 1;
model.step(1e-3);
const y: Float64Array = model.outputs(false), acc: Float64Array = model.rhs(), linear: Linear = model.linear([0.1], 0);
const { hz } = model.modes(linear), { re, im } = model.receptance(linear, 0, hz);
model.driven(1e-3, 0, [1, 2], 1, new Float64Array(2));
try {
  model.setState(model.state());
} catch (e) {
  if (e instanceof ModewayError) throw new Error(`${e.code} ${e.blame} ${y} ${acc} ${re} ${im} ${model.coefficients().length} ${model.yNames[0]}`);
}
// @ts-expect-error seconds are a number
model.step("1e-3");
// @ts-expect-error there is no such call
model.run();
// @ts-expect-error a model is opened, not made
new Model();
// @ts-expect-error counts stay
model.n.x = 3;
