import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Names of the fonts in a document. */
export const PLAIN = 'plain';
export const BOLD = 'bold';

const FILES = {
  [PLAIN]: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  [BOLD]: '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf',
} as const;
/** Longer texts are cut: shaping takes time for each letter. */
const CHARS_MAX = 1_000;
/** Control characters, and those that turn the direction of a line. */
const UNPRINTABLE = /\p{Cc}|[\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/gu;
/** U+25A1 of many fonts; here it replaces each letter without a glyph. */
const BOX = '\u25a1';

/** Some 600 KB each, once for the process. */
const files = new Map<string, Buffer>();

function fontFile(name: keyof typeof FILES): Buffer {
  const known = files.get(name) ?? readFileSync(createRequire(import.meta.url).resolve(FILES[name]));
  files.set(name, known);
  return known;
}

/** The part of pdfkit's open font that says which letters it has; pdfkit's types leave it out. */
interface OpenFont {
  readonly _font: { readonly font: { hasGlyphForCodePoint(codePoint: number): boolean } };
}

/** The texts of one document, in fonts that cover Latin, Cyrillic and Greek. Only the glyphs that are used are embedded. */
export class PdfText {
  readonly #hasGlyph: (codePoint: number) => boolean;
  #lacksGlyphs = false;

  constructor(document: PDFKit.PDFDocument) {
    for (const name of [PLAIN, BOLD] as const) document.registerFont(name, fontFile(name));
    document.font(PLAIN);
    const { font } = (document as unknown as OpenFont)._font;
    this.#hasGlyph = (codePoint) => font.hasGlyphForCodePoint(codePoint);
  }

  /** Whether a text had letters that the fonts lack, and that are boxes now. */
  get lacksGlyphs(): boolean {
    return this.#lacksGlyphs;
  }

  /** A text as it is printed: on one line, with a box for each letter that the fonts lack. */
  print(text: string): string {
    const letters = Array.from(oneLine(text), (letter) => {
      if (this.#hasGlyph(letter.codePointAt(0) ?? 0)) return letter;
      this.#lacksGlyphs = true;
      return BOX;
    });
    return letters.join('');
  }
}

/** A text in NFC and on one line, without what turns its direction. */
export function oneLine(text: string): string {
  return text.slice(0, CHARS_MAX).normalize('NFC').replaceAll(UNPRINTABLE, ' ');
}
