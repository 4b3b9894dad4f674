/** Headers of a request have at most as many characters together. */
export const HEADER_CHARS = 16_384;

/** What reads bytes of strangers. */
export interface Decoder {
  readonly name: string;
  /** Characters that the decoder gets at most: bounds before the decoder count. */
  readonly charsMax: number;
  /** Words that the decoder knows; texts of attacks are made of them. */
  readonly words: readonly string[];
  /** Whole texts of known attacks. */
  readonly attacks?: readonly string[];
  readonly decode: (text: string) => unknown;
}
