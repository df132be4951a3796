/* The simulated predictor of conditional branches (record=predictor): TAGE with a loop
 * predictor. The idea (Seznec and Michaud, 2006): tables of tagged entries for ever
 * longer histories of outcomes, in geometric steps; the entry with the longest history that is
 * known predicts, and a wrong guess makes an entry for a longer one. A history is kept folded
 * into 64 bits, which turn round by one when a new bit enters and the oldest one leaves. Everything
 * is learned at once, and choices at random are the same in every run. It does not know of time, of
 * guesses under way in a pipeline, or of other threads on the same core. See docs/13-machines.md.
 */
#include "simulated/simulated.h"

static const uint16_t lengths[qx_tables] = {4, 6, 9, 14, 21, 31, 46, 70, 105, 159, 239, 360};
static const uint64_t mixer = 0xd6e8feb86659fd93ull;
enum { past_mask = (1 << qx_past_bits) - 1, sure_of_loop = 3, longest_loop = 1023, crowd = 1024 };

static void nudge(int8_t *counter, bool up, int least, int most) {
  if (up ? *counter < most : *counter > least)
    *counter = (int8_t)(*counter + (up ? 1 : -1));
}

/* ---- history ---- */

static uint64_t turn(uint64_t folded) { return folded << 1 | folded >> 63; }

static void fold(struct qx_predictor *p) {
  for (unsigned t = 0; t < qx_tables; ++t) {
    p->folded[t] = 0;
    for (unsigned age = lengths[t]; age > 0; --age)
      p->folded[t] = turn(p->folded[t]) ^ ((uint64_t)p->past[(p->now - age) & past_mask] & 1);
  }
}

void qx_begin_history(struct qx_predictor *p) {
  p->random = mixer;
  for (unsigned t = 0; t < qx_tables; ++t)
    p->leaves[t] = 1ull << lengths[t] % 64;
}

void qx_remember(struct qx_predictor *p, bool bit) {
  const uint32_t now = p->now++ & past_mask;
  const int8_t *end = &p->past[now + past_mask + 1];
  for (unsigned t = 0; t < qx_tables; ++t)
    p->folded[t] = turn(p->folded[t]) ^ bit ^ ((uint64_t)end[-lengths[t]] & p->leaves[t]);
  p->past[now] = p->past[now + past_mask + 1] = (int8_t)-bit;
  /* Whatever a signal handler put out of order is in order again. */
  if (now == past_mask)
    fold(p);
}

/* ---- tagged tables ---- */

struct guess {
  uint64_t mixed[qx_tables]; /* site and history: index and tag */
  int8_t *base;
  struct qx_tagged *longest; /* of the entries that know this history; or NULL */
  struct qx_tagged *other;   /* the next shorter one; NULL: the base table */
  unsigned above;            /* the first table with a longer history than these */
  bool longest_says, other_says, fresh;
};

static struct qx_tagged *entry(struct qx_predictor *p, const struct guess *g, unsigned t) {
  return &p->tagged[t][g->mixed[t] >> (64 - qx_table_bits)];
}
static uint16_t tag(const struct guess *g, unsigned t) {
  return (uint16_t)(g->mixed[t] >> 36 & 0xfff);
}

static void look(struct qx_predictor *p, uint64_t site, struct guess *g) {
  g->base = &p->base[site * mixer >> (64 - qx_base_bits)];
  g->longest = g->other = NULL;
  g->above = 0;
  for (unsigned t = 0; t < qx_tables; ++t)
    g->mixed[t] = (p->folded[t] ^ site) * mixer;
  for (unsigned t = qx_tables; t-- > 0;) {
    struct qx_tagged *e = entry(p, g, t);
    if (e->tag != tag(g, t))
      continue;
    if (g->longest != NULL) {
      g->other = e;
      break;
    }
    g->longest = e;
    g->above = t + 1;
  }
  g->other_says = g->other != NULL ? g->other->counter >= 0 : *g->base >= 0;
  g->longest_says = g->longest != NULL ? g->longest->counter >= 0 : g->other_says;
  g->fresh = g->longest != NULL && (g->longest->counter == 0 || g->longest->counter == -1);
}

/* An entry or two for longer histories, where some are of no use. */
static void allocate(struct qx_predictor *p, const struct guess *g, bool taken) {
  int full = 0, made = 0;
  for (unsigned t = g->above + (qx_draw(&p->random) & 1); t < qx_tables && made < 2; ++t) {
    struct qx_tagged *e = entry(p, g, t);
    if (e->useful > 0) {
      ++full;
      continue;
    }
    *e = (struct qx_tagged){(int8_t)(taken ? 0 : -1), 0, tag(g, t)};
    ++made;
    ++t; /* not the next one */
  }
  p->crowded = (int16_t)(p->crowded + full - 2 * made);
  if (p->crowded < 0)
    p->crowded = 0;
  if (p->crowded < crowd)
    return;
  p->crowded = 0;
  for (unsigned t = 0; t < qx_tables; ++t)
    for (unsigned i = 0; i < 1u << qx_table_bits; ++i)
      p->tagged[t][i].useful /= 2;
}

static void learn(struct qx_predictor *p, const struct guess *g, bool said, bool taken) {
  struct qx_tagged *e = g->longest;
  if (e != NULL && g->longest_says != g->other_says) {
    if (g->fresh)
      nudge(&p->trust_other, g->other_says == taken, -8, 7);
    if (g->longest_says == taken ? e->useful < 3 : e->useful > 0)
      e->useful = (uint8_t)(e->useful + (g->longest_says == taken ? 1 : -1));
  }
  if (e == NULL || e->useful == 0) {
    if (g->other != NULL)
      nudge(&g->other->counter, taken, -4, 3);
    else
      nudge(g->base, taken, -2, 1);
  }
  if (e != NULL)
    nudge(&e->counter, taken, -4, 3);
  if (said != taken && !(g->fresh && g->longest_says == taken))
    allocate(p, g, taken);
}

/* ---- loops that are left after the same number of trips ---- */

static struct qx_loop *find_loop(struct qx_predictor *p, uint64_t site) {
  const uint64_t mixed = site * mixer;
  struct qx_loop *set = p->loops[mixed >> 32 & (qx_loop_sets - 1)];
  for (unsigned w = 0; w < qx_loop_ways; ++w)
    if (set[w].tag == (uint16_t)(mixed >> 40) && set[w].age > 0)
      return &set[w];
  return NULL;
}

static void begin_loop(struct qx_predictor *p, uint64_t site, bool last) {
  const uint64_t mixed = site * mixer;
  struct qx_loop *l =
      &p->loops[mixed >> 32 & (qx_loop_sets - 1)][qx_draw(&p->random) >> 32 & (qx_loop_ways - 1)];
  if (l->age > 0)
    --l->age;
  else
    *l = (struct qx_loop){(uint16_t)(mixed >> 40), 0, 0, 0, 7, !last};
}

static void learn_loop(struct qx_loop *l, bool helped, bool taken) {
  if (helped && l->age < 7)
    ++l->age;
  if (taken == l->way) {
    if (++l->now > longest_loop || (l->sure > 0 && l->now > l->trips))
      *l = (struct qx_loop){0};
  } else {
    if (l->now == l->trips && l->sure < sure_of_loop)
      ++l->sure;
    else if (l->now != l->trips && l->sure > 0)
      *l = (struct qx_loop){0};
    l->trips = l->now;
    l->now = 0;
  }
}

/* ---- all together ---- */

bool qx_predict_branch(struct qx_predictor *p, uint64_t site, bool taken) {
  struct guess g;
  look(p, site, &g);
  const bool tagged = g.fresh && p->trust_other >= 0 ? g.other_says : g.longest_says;
  bool said = tagged;
  struct qx_loop *l = find_loop(p, site);
  if (l != NULL && l->sure == sure_of_loop) {
    const bool loop_says = (l->now == l->trips) != l->way;
    const bool differs = loop_says != said;
    if (differs && p->trust_loops >= 0)
      said = loop_says;
    if (differs)
      nudge(&p->trust_loops, loop_says == taken, -64, 63);
    learn_loop(l, differs && loop_says == taken, taken);
  } else if (l != NULL) {
    learn_loop(l, false, taken);
  } else if (tagged != taken && (qx_draw(&p->random) & 3) == 0) {
    begin_loop(p, site, taken);
  }
  learn(p, &g, tagged, taken);
  qx_remember(p, taken);
  p->way = p->way << 1 | taken;
  return said == taken;
}

QX_HIDDEN void __quincunx_branch(uint64_t *misses, uint64_t site, uint32_t outcome) {
  struct qx_machine *m = qx_machine_here();
  if (m != NULL && !qx_predict_branch(&m->predictor, site, outcome != 0))
    ++*misses;
}
