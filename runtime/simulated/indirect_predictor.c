/* The simulated predictor of targets (record=predictor): switches, indirect jumps and indirect
 * calls. The idea is that of branch_predictor.c, with targets in the entries (ITTAGE): a table of
 * the last target of each site, and tagged ones for longer histories, of targets as well as of
 * outcomes. It knows nothing of calls that return, which processors predict without fail. See
 * docs/13-machines.md. */
#include "simulated/simulated.h"

static const uint64_t mixer = 0xd6e8feb86659fd93ull;
static const unsigned lengths[qx_target_tables] = {8, 16, 32, 64}; /* bits of history */
enum { bits_of_target = 5, bits_of_outcomes = 2 };

/* An entry for a longer history, where one is of no use. */
static void allocate(struct qx_predictor *p, struct qx_tagged_target **known, const uint16_t *tags,
                     unsigned longest, uint32_t name) {
  for (unsigned t = longest + 1 + (qx_draw(&p->random) & 1); t <= qx_target_tables; ++t) {
    if (known[t]->useful == 0) {
      *known[t] = (struct qx_tagged_target){name, tags[t], 0, 0};
      return;
    }
    --known[t]->useful;
  }
}

bool qx_predict_target(struct qx_predictor *p, uint64_t site, uint64_t target) {
  const uint64_t spread = target * 0x9e3779b97f4a7c15ull;
  const uint32_t name = (uint32_t)(spread >> 32);
  struct qx_tagged_target *known[1 + qx_target_tables];
  uint16_t tags[1 + qx_target_tables];
  unsigned longest = 0, other = 0;
  for (unsigned t = 0; t <= qx_target_tables; ++t) {
    const uint64_t past = t == 0 ? 0 : p->way << (64 - lengths[t - 1]);
    const uint64_t mixed = ((past ^ past >> 29) * 0x9e3779b97f4a7c15ull ^ site) * mixer;
    known[t] = &p->targets[t][mixed >> (64 - qx_target_bits)];
    tags[t] = (uint16_t)(mixed >> 40 & 0xfff);
    if (t == 0 || known[t]->tag == tags[t])
      other = longest, longest = t;
  }
  const bool fresh = longest > 0 && known[longest]->sure == 0;
  struct qx_tagged_target *e = known[longest];
  const bool right = e->target == name, other_right = known[other]->target == name;
  const bool predicted = fresh ? other_right : right;
  if (longest > 0 && right != other_right && (right ? e->useful < 3 : e->useful > 0))
    e->useful = (uint8_t)(e->useful + (right ? 1 : -1));
  if (right)
    e->sure = (uint8_t)(e->sure < 3 ? e->sure + 1 : 3);
  else if (e->sure > 0)
    --e->sure;
  else
    e->target = name;
  if (longest > 0 && e->useful == 0 && !other_right && known[other]->sure == 0)
    known[other]->target = name;
  if (!predicted && !(fresh && right))
    allocate(p, known, tags, longest, name);
  p->way = p->way << bits_of_target | spread >> (64 - bits_of_target);
  for (unsigned i = 1; i <= bits_of_outcomes; ++i)
    qx_remember(p, spread >> (64 - i) & 1);
  return predicted;
}

QX_HIDDEN void __quincunx_target(uint64_t *misses, uint64_t site, uint64_t target) {
  struct qx_machine *m = qx_machine_here();
  if (m != NULL && !qx_predict_target(&m->predictor, site, target))
    ++*misses;
}
