import type { EN } from './en.ts';

/** Texts of one area in another language. A text that is still missing is said in English; a test lists what is missing. */
export type Texts = Readonly<Partial<Record<keyof typeof EN, string>>>;
