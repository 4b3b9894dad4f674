/** Formats of creatives. Tokens hold the position of a format: a new one goes to the end. */
export const CREATIVE_FORMATS = ['IMAGE', 'HTML', 'NATIVE', 'VIDEO'] as const;
export type CreativeFormat = (typeof CREATIVE_FORMATS)[number];
