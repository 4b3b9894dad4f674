/** The program that suggests floors, for a thread of its own. */
export const FLOORS_THREAD = { module: new URL('./floors-worker.ts', import.meta.url), title: 'floor suggestions' };
