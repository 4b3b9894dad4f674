/** The seed of a test's random cases, which `PROPERTY_SEED` sets. */
export const DRAW_SEED = Number(process.env['PROPERTY_SEED'] ?? 1);
