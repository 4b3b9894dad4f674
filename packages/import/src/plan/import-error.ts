/** An import that cannot go on; the message tells a person why. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
