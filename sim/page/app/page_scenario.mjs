// SPDX-License-Identifier: BSD-3-Clause
// page_scenario.mjs: a scenario of the model, step by step, by what its drives do (pagescenarios.c): forces, prescribed
// coordinates, controllers whose gains may be changed. The steps are those of a run by `modeway simulate --method exponential`.

export class Scenario {
  /** data: one of pagescenarios.c; model: the reduced model, whose state it sets and advances. */
  constructor(model, data) {
    Object.assign(this, { model, data, controllers: data.actions.filter((a) => a.kind === "control") });
    this.length = data.steps * data.h;
    this.samples = Math.floor(data.steps / data.period) + 1;
    this.reset();
  }

  reset() {
    this.k = 0;
    this.model.setState(this.data.x);
    this.model.u.fill(0);
    this.errors = this.controllers.map(() => new Float64Array(this.samples));
    this.sums = this.controllers.map(() => 0);
  }

  get t() {
    return this.k * this.data.h;
  }

  get over() {
    return this.k >= this.data.steps;
  }

  // Forces of the controllers, equations (1) and (3) of fem/mech/control.c, held for a period.
  #sample(n) {
    const { model, data, errors, sums } = this, y = model.outputs(), rates = model.yDot;
    this.controllers.forEach((a, c) => {
      const error = a.value[n] - y[a.field];
      if (n > 0) sums[c] += 0.5 * data.period * data.h * (errors[c][n - 1] + error);
      errors[c][n] = error;
      model.u[a.drive] = a.kp * error + a.ki * sums[c] + a.kd * (a.rate[n] - rates[a.field]) + a.ff * a.acc[n] + a.gravity;
    });
    this.sampled = n + 1;
  }

  /** One step, with a force along output `load`, or three from it on, besides. */
  step(load, force) {
    const { model, data, k } = this, { h } = data, n = model.n.acc, acc = new Float64Array(model.n.theta);
    let held = 0;
    if (k % data.period === 0) this.#sample(k / data.period);
    for (const a of data.actions) {
      const i = a.coordinate;
      if (a.kind === "force") model.u[a.drive] = a.value[k];
      if (a.kind !== "position") continue;
      acc[i] = (a.value[k] - model.x[i] - h * model.x[n + i]) / (h * h) + 0.5 * (a.rate[k] - model.x[n + i]) / h;
      held |= 1 << i;
    }
    model.driven(h, load, force, held, acc);
    this.k++;
  }
}
