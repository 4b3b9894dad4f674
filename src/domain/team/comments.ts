/** Longest comment, in characters. */
export const COMMENT_LENGTH_MAX = 4_000;
