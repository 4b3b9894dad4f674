/** Some tables, with what is made once all tables exist: foreign keys, indexes, triggers. */
export interface BaselinePart {
  readonly tables: readonly string[];
  readonly rules: readonly string[];
}
