/** Texts of one area in another language, by the keys of the English ones. What is still missing is said in English; a test lists it. */
export type TextsOf<English> = Readonly<Partial<Record<keyof English, string>>>;
