import { isIP } from 'node:net';
import { z } from 'zod';

/** The facts of the machine, for defaults that depend on them. Passed in so that a test can choose. */
export interface Machine {
  readonly cores: number;
  readonly hasIpv6: boolean;
  readonly isTerminal: boolean;
}

/** One row of the settings table: what `docs/configuration.md` says and what `readSettings` does. */
export interface SettingSpec<Value = unknown> {
  /** The environment variable. */
  readonly name: string;
  /** The kind of value, as a person reads it. */
  readonly kind: string;
  /** The default as environment text; null when there is none (the value is then null). */
  readonly default: string | null | ((machine: Machine) => string);
  /** How the documentation puts the default. */
  readonly defaultTitle: string;
  /** Secrets can also be read from a file, by the name with `_FILE` appended, and are never printed. */
  readonly secret: boolean;
  /** A change in the settings file takes effect at SIGHUP; absent: at the next start. */
  readonly reload?: true;
  readonly description: string;
  readonly example: string;
  /** Takes the environment text (null: not set, no default) and gives the value, or an issue that says what to write. */
  readonly schema: z.ZodType<Value, string | null>;
}

/** A row of the table, its value's type kept. */
export function setting<Value>(spec: SettingSpec<Value>): SettingSpec<Value> {
  return spec;
}

/** A whole number in these bounds. */
export function integer(min: number, max: number): z.ZodType<number, string | null> {
  const message = `write a whole number from ${min} to ${max}`;
  return z
    .string({ error: message })
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** One of these words. */
export function oneOf<const Choices extends readonly [string, ...string[]]>(
  choices: Choices,
): z.ZodType<Choices[number], string | null> {
  return z.string().pipe(z.enum(choices, { error: `write one of: ${choices.join(', ')}` }));
}

/** An address of one of these protocols (`https:`), or none. */
export function optionalUrl(protocols: readonly string[], example: string): z.ZodType<string | null, string | null> {
  const message = `write an address that begins with ${protocols.map((one) => `${one}//`).join(' or ')}, such as ${example}`;
  return z
    .string()
    .refine((text) => protocols.includes(protocolOf(text)), message)
    .nullable();
}

/** One address of one of these protocols, or several of the same, separated by commas; or none. */
export function optionalUrls(protocols: readonly string[], example: string): z.ZodType<string | null, string | null> {
  const starts = protocols.map((one) => `${one}//`).join(' or ');
  const message = `write an address that begins with ${starts}, such as ${example}, or several of one kind, separated by commas`;
  const areValid = (text: string): boolean => {
    const found = new Set(text.split(',').map((one) => protocolOf(one.trim())));
    return found.size === 1 && protocols.includes([...found][0] ?? '');
  };
  return z.string().refine(areValid, message).nullable();
}

function protocolOf(text: string): string {
  return URL.canParse(text) ? new URL(text).protocol : '';
}

/** A public base address: no trailing slash, no query, no fragment, no credentials. */
export function optionalPublicUrl(example: string): z.ZodType<string | null, string | null> {
  const message = `write an https:// address without query or fragment, such as ${example}`;
  const valid = (text: string): boolean => {
    if (!/^https?:$/.test(protocolOf(text))) return false;
    const url = new URL(text);
    return url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  };
  return z
    .string()
    .refine(valid, message)
    .transform((text) => text.replace(/\/+$/, ''))
    .nullable();
}

/** True for an IP address or a CIDR range of either family. */
function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** IP addresses and CIDR ranges, separated by commas or spaces. */
export function addressList(): z.ZodType<readonly string[], string | null> {
  const message = 'write IP addresses or CIDR ranges, separated by commas, such as 10.0.0.0/8,192.0.2.7';
  return z
    .string({ error: message })
    .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
    .refine((parts) => parts.every(isAddressOrRange), message)
    .transform((parts): readonly string[] => Object.freeze(parts));
}

/**
 * Contacts as security.txt has them (RFC 9116): `mailto:`, `https:` and `tel:` addresses, at most 5. A bare e-mail address becomes a
 * `mailto:`.
 */
export function contacts(): z.ZodType<readonly string[], string | null> {
  const message = 'write up to 5 e-mail addresses, https:// or tel: addresses, with commas between';
  const toUri = (text: string): string => (/^[^\s:@/]+@[^\s:@/]+$/.test(text) ? `mailto:${text}` : text);
  const isUri = (text: string): boolean =>
    /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+?[\d-]{3,30})$/.test(text) &&
    URL.canParse(text) &&
    text.length <= 300;
  return z
    .string({ error: message })
    .transform((text) =>
      text
        .split(/[\s,]+/)
        .filter((part) => part !== '')
        .map(toUri),
    )
    .refine((list) => list.length <= 5 && list.every(isUri), message);
}
