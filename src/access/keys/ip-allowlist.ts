import ipaddr from 'ipaddr.js';
import { fieldError } from '../../domain/errors.ts';

/** Most entries of one key's allowlist. */
const ENTRIES_MAX = 100;

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Decides whether an address is on an allowlist. */
export type AddressCheck = (address: string) => boolean;

/**
 * Compiles addresses and CIDR ranges; IPv4-mapped IPv6 addresses and ranges count as the IPv4 ones that they represent. An invalid entry
 * admits no address. An empty list admits every address.
 */
export function compileAllowlist(entries: readonly string[]): AddressCheck {
  if (entries.length === 0) return () => true;
  const ranges = entries.map(parseRange).filter((range) => range !== null);
  return (address) => {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return ranges.some(([base, bits]) => parsed.kind() === base.kind() && parsed.match(base as never, bits));
  };
}

/** Validates a list that a member entered. @throws PlacardError `validation_failed` naming the entry and what to write. */
export function checkAllowlist(entries: readonly string[], path: string): void {
  if (entries.length > ENTRIES_MAX) throw fieldError(path, 'too_many', `at most ${ENTRIES_MAX} entries`);
  for (const [index, entry] of entries.entries()) {
    if (parseRange(entry) === null) {
      throw fieldError(
        `${path}[${index}]`,
        'not_an_address',
        'write an IP address or a CIDR range, such as 192.0.2.0/24',
      );
    }
  }
}

function parseRange(entry: string): Range | null {
  const text = entry.trim();
  // ipaddr.js also reads short forms such as "10.1" and "127": an allowlist must be unambiguous.
  if (!text.includes(':') && !/^\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?$/.test(text)) return null;
  try {
    const [base, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : wholeAddress(text);
    if (base.kind() !== 'ipv6' || !(base as ipaddr.IPv6).isIPv4MappedAddress()) return [base, bits];
    return bits >= 96 ? [(base as ipaddr.IPv6).toIPv4Address(), bits - 96] : [base, bits];
  } catch {
    return null;
  }
}

function wholeAddress(text: string): Range {
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
