/** The few ASN.1 DER types that an X.509 certificate is made of (ITU-T X.690), as an encoder only. */

/** A tag, the length of the content (up to 65,535 bytes), and the content. */
export function derValue(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length > 0xffff) throw new RangeError('DER content over 65,535 bytes');
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** SEQUENCE of already encoded parts. */
export function derSequence(...parts: readonly Buffer[]): Buffer {
  return derValue(0x30, Buffer.concat(parts));
}

/** SET of one already encoded part. */
export function derSet(part: Buffer): Buffer {
  return derValue(0x31, part);
}

/** A context-specific, constructed tag around already encoded parts. */
export function derContext(number: number, ...parts: readonly Buffer[]): Buffer {
  return derValue(0xa0 | number, Buffer.concat(parts));
}

/** A non-negative INTEGER from big-endian bytes. */
export function derInteger(bytes: Buffer): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const trimmed = bytes.subarray(start);
  return derValue(0x02, (trimmed[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), trimmed]) : trimmed);
}

/** OBJECT IDENTIFIER from its dotted form; arcs below 2^28. */
export function derObjectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...arcs] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of arcs) {
    for (let shift = 21; shift > 0; shift -= 7) if (arc >= 2 ** shift) bytes.push(0x80 | ((arc >> shift) & 0x7f));
    bytes.push(arc & 0x7f);
  }
  return derValue(0x06, Buffer.from(bytes));
}

/** BOOLEAN true (false is a default everywhere in certificates, and so never written). */
export const DER_TRUE: Buffer = derValue(0x01, Buffer.from([0xff]));

/** OCTET STRING. */
export function derOctets(content: Buffer): Buffer {
  return derValue(0x04, content);
}

/** BIT STRING with `unusedBits` at the end of the last byte. */
export function derBits(content: Buffer, unusedBits = 0): Buffer {
  return derValue(0x03, Buffer.concat([Buffer.from([unusedBits]), content]));
}

/** UTF8String. */
export function derText(text: string): Buffer {
  return derValue(0x0c, Buffer.from(text, 'utf8'));
}

/** A time as RFC 5280 wants it: UTCTime before 2050, GeneralizedTime from then on; whole seconds, UTC. */
export function derTime(epochMs: number): Buffer {
  const digits = new Date(epochMs).toISOString().replace(/[-:T]|\.\d+/g, '');
  const short = Number(digits.slice(0, 4)) < 2050;
  return derValue(short ? 0x17 : 0x18, Buffer.from(short ? digits.slice(2) : digits, 'ascii'));
}
