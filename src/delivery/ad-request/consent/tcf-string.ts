import { Base64Bits, nullIfDamaged } from './base64-bits.ts';

const VERSION = 2;
/** Times, CMP, screen, language, versions of lists, and opt-ins to special features. */
const BITS_BETWEEN_VERSION_AND_PURPOSES = 146;
const PURPOSES = 24;
/** Purposes of legitimate interest, treatment of purpose 1, country, and the shortest two vendor lists. */
const BITS_AFTER_PURPOSES = 24 + 1 + 12 + 2 * 17;
/** Purposes that personalisation needs: storage, and selecting personalised ads (with its profile). */
const PURPOSES_NEEDED = [1, 3, 4];

/**
 * Whether a TCF 2 string consents to the purposes of personalisation; null where the text is another one, or damaged. Reads purposes at
 * their fixed position and never the lists of vendors, because Placard is not a vendor: it works for the publisher.
 */
export function readTcfConsent(text: string): boolean | null {
  const core = text.split('.', 1)[0] ?? '';
  return nullIfDamaged(() => {
    const bits = new Base64Bits(core);
    if (bits.read(6) !== VERSION) return null;
    bits.skip(BITS_BETWEEN_VERSION_AND_PURPOSES);
    const purposes = bits.read(PURPOSES);
    bits.skip(BITS_AFTER_PURPOSES - 1);
    bits.read(1);
    return PURPOSES_NEEDED.every((purpose) => ((purposes >> (PURPOSES - purpose)) & 1) === 1);
  });
}
