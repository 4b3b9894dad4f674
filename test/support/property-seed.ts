/**
 * With PROPERTY_SEED, all property tests draw from that seed: CI takes it from the tree, so that a run of one tree is repeatable.
 * Without it each run has a seed of its own, and fast-check prints it when a property fails.
 */
const { PROPERTY_SEED } = process.env;
if (PROPERTY_SEED !== undefined) {
  const { configureGlobal, readConfigureGlobal } = await import('fast-check');
  configureGlobal({ ...readConfigureGlobal(), seed: Number(PROPERTY_SEED) });
}
