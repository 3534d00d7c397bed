// SPDX-License-Identifier: BSD-3-Clause
// scaling_sim.c: a reduction by R workers and one leader, event by event.
//
//   leader:  before → rough bases and samples → fine bases and counts → modes → after
//   list:    send to each idle worker; then, answer by answer as they come: take → put (→ sync) →
//            send the next
//   worker:  [begin, direct: once] → unit → digest of its result → answer
//
// as reduction/work.c does it: the leader does one thing at a time, a list begins when the one
// before it is done. A unit's duration is drawn from the measured ones (always the same draws).
// Limits: all workers are equally fast, the network is the leader's link alone, memory is not
// limited. Cost: O((units + workers) log workers).
#include "scaling_sim.h"
#include "base/random.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *const scaling_part_name[SCALING_N_PART] = { "serial stages", "bodies", "start",
                                                        "messages",      "store",  "balance" };

struct kind;

typedef struct answer {
  double at;  // s
  int worker;
  const struct kind *what;
} answer;

typedef struct sim {
  const scaling_cost *c;
  const scaling_case *k;
  int n_worker;
  double now;                     // s, the leader's clock
  double work;                    // s, of all workers
  uint64_t random;                // state of the draws
  unsigned char *begun, *direct;  // [n_worker]
  answer *heap;                   // [n_worker]  the next one first
  int n_heap;
  double waiting_work, waiting_b;  // s and B of results that wait for a sync
  int n_waiting;
} sim;

// ---- draws and the heap -------------------------------------------------------------------------

static double draw(sim *s, scaling_draw d)
{
  return d.n > 0 ? d.s[(int)(mw_random_unit(&s->random) * d.n)] : 0.0;
}

static void push(sim *s, answer a)
{
  int i = s->n_heap++;
  for (; i > 0 && s->heap[(i - 1) / 2].at > a.at; i = (i - 1) / 2)
    s->heap[i] = s->heap[(i - 1) / 2];
  s->heap[i] = a;
}

static answer pop(sim *s)
{
  answer top = s->heap[0], last = s->heap[--s->n_heap];
  int i = 0;
  for (int j; (j = 2 * i + 1) < s->n_heap; i = j) {
    if (j + 1 < s->n_heap && s->heap[j + 1].at < s->heap[j].at) j++;
    if (!(s->heap[j].at < last.at)) break;
    s->heap[i] = s->heap[j];
  }
  s->heap[i] = last;
  return top;
}

// ---- a list -------------------------------------------------------------------------------------

typedef struct kind {  // of units
  int n;
  scaling_draw d;       // durations
  double factor, more;  // of the drawn, and s added to it
  double args, result;  // B
  double own;           // B kept and read back by who made them
  bool sample;
} kind;

typedef struct list {
  kind part[2];  // one after the other
} list;

static double over_net(const sim *s, double bytes, double own)
{
  double rate = s->c->rate > 0.0 ? 1.0 / s->c->rate : 0.0;
  return bytes * fmax(own, rate);
}

static double keep_own(const scaling_cost *c, double bytes)
{
  const scaling_leader *l = &c->leader;
  return l->put + l->sync + l->get + bytes * (c->digest_b + l->put_b + l->sync_b + l->get_b);
}

static void send(sim *s, const kind *q, int worker)
{
  const scaling_cost *c = s->c;
  double t = q->factor * draw(s, q->d) + q->more + c->digest_b * q->result;
  s->now += c->leader.send + over_net(s, q->args, c->leader.send_b);
  if (q->own > 0.0) t += keep_own(c, q->own);
  if (s->k->own_files)
    t += c->leader.put + c->leader.sync + (c->leader.put_b + c->leader.sync_b) * q->result;
  if (!s->begun[worker]) t += c->begin;
  if (q->sample && !s->direct[worker]) t += c->direct;
  s->begun[worker] = 1;
  s->direct[worker] |= q->sample;
  push(s, (answer){ s->now + t + 2.0 * c->latency, worker, q });
}

static void sync(sim *s)
{
  const scaling_leader *l = &s->c->leader;
  s->now += l->sync * s->n_waiting + l->sync_b * s->waiting_b;
  s->n_waiting = 0;
  s->waiting_b = s->waiting_work = 0.0;
}

static void take(sim *s, double bytes, double work)
{
  const scaling_leader *l = &s->c->leader;
  if (s->k->own_files) {
    s->now += l->take + l->get + bytes * l->get_b;
    return;
  }
  s->now += l->take + over_net(s, bytes, l->take_b) + l->put + bytes * l->put_b;
  s->n_waiting++;
  s->waiting_b += bytes;
  s->waiting_work += work;
  double most = l->sync_work * (l->sync_by_workers ? s->n_worker : 1);
  if (s->n_waiting >= l->sync_files || s->waiting_work >= most) sync(s);
}

static double mean_of(scaling_draw d)
{
  double sum = 0.0;
  for (int i = 0; i < d.n; i++) sum += d.s[i];
  return d.n > 0 ? sum / d.n : 0.0;
}

static const kind *nth(const list *l, int u) { return &l->part[u >= l->part[0].n]; }

static void run(sim *s, const list *l)
{
  int next = 0, n = l->part[0].n + l->part[1].n;
  double work[2];
  for (int i = 0; i < 2; i++) work[i] = l->part[i].factor * mean_of(l->part[i].d);
  for (int k = 0; k < s->n_worker && next < n; k++) send(s, nth(l, next++), k);
  while (s->n_heap > 0) {
    answer a = pop(s);
    s->now = fmax(s->now, a.at);
    take(s, a.what->result, work[a.what == &l->part[1]]);
    if (next < n) send(s, nth(l, next++), a.worker);
  }
  sync(s);
}

// ---- the reduction ------------------------------------------------------------------------------

static bool open_sim(sim *s, const scaling_cost *c, const scaling_case *k, int n_worker)
{
  size_t n = (size_t)n_worker;
  *s = (sim){ .c = c, .k = k, .n_worker = n_worker, .random = 1 };
  s->begun = calloc(n, 1);
  s->direct = calloc(n, 1);
  s->heap = calloc(n, sizeof *s->heap);
  return s->begun && s->direct && s->heap;
}

static double close_sim(sim *s, bool okay)
{
  free(s->begun);
  free(s->direct);
  free(s->heap);
  return okay ? s->now : NAN;
}

double scaling_list(const scaling_cost *c, scaling_draw d, double factor, int n, int n_worker,
                    double args, double result)
{
  sim s;
  scaling_case k = { 0 };
  list l = { .part = { { .n = n, .d = d, .factor = factor, .args = args, .result = result } } };
  bool okay = open_sim(&s, c, &k, n_worker);
  if (okay) run(&s, &l);
  return close_sim(&s, okay);
}

static kind modes_of(const scaling_cost *c, const scaling_case *k, double n_point)
{
  double point = k->point_units ? c->before_point + c->after_point : 0.0;
  double bytes = k->point_units ? c->record : c->modes_result;
  return (kind){ .n = (int)ceil(n_point / k->chunk),
                 .d = c->modes,
                 .factor = (double)k->chunk / c->chunk_measured,
                 .more = k->chunk * point,
                 .args = k->chunk * c->modes_args,
                 .result = k->chunk * bytes,
                 .own = k->point_units ? k->chunk * c->modes_result : 0.0 };
}

static kind samples_of(const scaling_cost *c, int n)
{
  return (kind){ .n = n,
                 .d = c->sample,
                 .factor = 1.0,
                 .args = c->sample_args,
                 .result = c->sample_result,
                 .sample = true };
}

static kind each_once(scaling_draw d) { return (kind){ .n = d.n, .d = d, .factor = 1.0 }; }

static double before_all(const scaling_cost *c, const scaling_case *k)
{
  return c->before + (k->point_units ? 0.0 : c->before_point * k->n_point);
}

static double after_all(const scaling_cost *c, const scaling_case *k)
{
  return c->after + (k->point_units ? 0.0 : c->after_point * k->n_point);
}

// The units of one of n_shard leaders, and what it does before them.
static double one_leader(const scaling_cost *c, const scaling_case *k, int n_shard)
{
  sim s;
  int n_worker = k->n_worker / n_shard > 1 ? k->n_worker / n_shard : 1;
  int n_sample = (k->n_sample + n_shard - 1) / n_shard;
  bool okay = open_sim(&s, c, k, n_worker);
  if (!okay) return close_sim(&s, okay);
  list first = { { each_once(c->rough), samples_of(c, n_sample) } };
  list second = { { each_once(c->fine), each_once(c->count) } };
  list third = { { modes_of(c, k, k->n_point / n_shard) } };
  s.now = before_all(c, k);
  run(&s, &first);
  run(&s, &second);
  run(&s, &third);
  return close_sim(&s, true);
}

double scaling_time(const scaling_cost *c, const scaling_case *k)
{
  int shards = k->n_shard > 1 ? k->n_shard : 1;
  double t = one_leader(c, k, shards) + after_all(c, k);
  if (shards == 1) return t;
  // merge begins anew and reads what all have kept
  double bytes =
      k->n_point * (k->point_units ? c->record : c->modes_result) + k->n_sample * c->sample_result;
  double units = ceil(k->n_point / k->chunk) + k->n_sample;
  return t + before_all(c, k) + c->leader.get * units + c->leader.get_b * bytes;
}

double scaling_alone(const scaling_cost *c, const scaling_case *k)
{
  const scaling_leader *l = &c->leader;
  double units = ceil(k->n_point / k->chunk), b = k->n_point * c->modes_result;
  double t = c->before + c->before_point * k->n_point + c->after + c->after_point * k->n_point;
  t += c->rough.n * mean_of(c->rough) + c->fine.n * mean_of(c->fine);
  t += c->count.n * mean_of(c->count) + c->direct;
  t += k->n_point / c->chunk_measured * mean_of(c->modes) + k->n_sample * mean_of(c->sample);
  units += k->n_sample;
  b += k->n_sample * c->sample_result;
  return t + units * (l->put + l->sync) + b * (l->put_b + l->sync_b + c->digest_b);
}

// ---- what is to blame ---------------------------------------------------------------------------

static void without(scaling_cost *c, scaling_part p)
{
  scaling_leader *l = &c->leader;
  switch (p) {
  case SCALING_SERIAL: c->before = c->before_point = c->after = c->after_point = 0.0; break;
  case SCALING_BODIES: c->rough.n = c->fine.n = c->count.n = 0; break;
  case SCALING_START: c->begin = c->direct = 0.0; break;
  case SCALING_MESSAGES:
    l->send = l->send_b = l->take = l->take_b = c->latency = c->rate = 0.0;
    break;
  case SCALING_STORE: l->put = l->put_b = l->sync = l->sync_b = l->get = l->get_b = 0.0; break;
  case SCALING_BALANCE:
  case SCALING_N_PART: break;
  }
}

void scaling_blame(const scaling_cost *c, const scaling_case *k, double lost[SCALING_N_PART])
{
  double t = scaling_time(c, k);
  scaling_cost none = *c;
  for (int p = 0; p < SCALING_BALANCE; p++) {
    scaling_cost less = *c;
    without(&less, (scaling_part)p);
    without(&none, (scaling_part)p);
    lost[p] = t - scaling_time(&less, k);
  }
  lost[SCALING_BALANCE] = scaling_time(&none, k) - scaling_alone(&none, k) / k->n_worker;
}
