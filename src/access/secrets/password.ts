import { argon2, randomBytes } from 'node:crypto';
import { fieldError, PlacardError } from '../../domain/errors.ts';
import { isSameDigest } from './secret-text.ts';

/** Argon2id at OWASP's recommendation: 19 MiB, two passes, one lane. Each hash holds its parameters, so that they can be raised later. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const TAG_BYTES = 32;
const SALT_BYTES = 16;
const FORMAT = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]{22,64})\$([A-Za-z0-9+/]{22,128})$/;
/** Most hashes computed at once; each holds 19 MiB and a thread. */
const RUNNING_MAX = 2;
/** Most hashes that wait for their turn; more are refused. */
const WAITING_MAX = 64;

const PASSWORD_LENGTH_MIN = 12;
const PASSWORD_LENGTH_MAX = 256;

let running = 0;
const waiting: (() => void)[] = [];

/** The hash of a password in the PHC text format of Argon2id, with its own salt. @throws PlacardError `overloaded` */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await derive({ password, salt, memory: MEMORY_KIB, passes: PASSES, lanes: 1, tagBytes: TAG_BYTES });
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${unpadded(salt)}$${unpadded(tag)}`;
}

/**
 * Whether a password matches a stored hash. With null (no such user, or one without a password) it takes the same time and returns false,
 * so that the time does not reveal who has an account.
 *
 * @throws PlacardError `overloaded` when more than 64 checks wait.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const match = stored === null ? null : FORMAT.exec(stored);
  if (match === null || password.length > PASSWORD_LENGTH_MAX) {
    await derive({
      password: 'none',
      salt: Buffer.alloc(SALT_BYTES),
      memory: MEMORY_KIB,
      passes: PASSES,
      lanes: 1,
      tagBytes: TAG_BYTES,
    });
    return false;
  }
  const [, memory, passes, lanes, salt = '', tag = ''] = match;
  const expected = Buffer.from(tag, 'base64');
  const actual = await derive({
    password,
    salt: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    lanes: Number(lanes),
    tagBytes: expected.length,
  });
  return isSameDigest(actual, expected);
}

/** @throws PlacardError `validation_failed` for one that is too short, too long, or holds the e-mail address. */
export function checkPasswordRules(password: string, email: string, path = 'password'): void {
  if (password.length < PASSWORD_LENGTH_MIN) {
    throw fieldError(path, 'too_short', `use at least ${PASSWORD_LENGTH_MIN} characters; a few random words are good`);
  }
  if (password.length > PASSWORD_LENGTH_MAX)
    throw fieldError(path, 'too_long', `use at most ${PASSWORD_LENGTH_MAX} characters`);
  const localPart = email.split('@')[0]?.toLowerCase() ?? '';
  if (localPart.length >= 4 && password.toLowerCase().includes(localPart)) {
    throw fieldError(path, 'holds_email', 'do not put your e-mail address into the password');
  }
  if (new Set(password).size < 5) throw fieldError(path, 'too_simple', 'use more different characters');
}

interface Derivation {
  readonly password: string;
  readonly salt: Buffer;
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
  readonly tagBytes: number;
}

async function derive(wish: Derivation): Promise<Buffer> {
  await acquireTurn();
  const { memory, passes, lanes, tagBytes, salt } = wish;
  const message = wish.password.normalize('NFKC');
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      const parameters = { message, nonce: salt, memory, passes, parallelism: lanes, tagLength: tagBytes };
      argon2('argon2id', parameters, (error, tag) => (error === null ? resolve(tag) : reject(error)));
    });
  } finally {
    passTurn();
  }
}

async function acquireTurn(): Promise<void> {
  if (running < RUNNING_MAX) {
    running += 1;
    return;
  }
  if (waiting.length >= WAITING_MAX)
    throw new PlacardError('overloaded', 'Too many people sign in at once; try again shortly.');
  await new Promise<void>((resolve) => waiting.push(resolve));
}

/** The turn goes to the caller that waits longest, else back to the pool. */
function passTurn(): void {
  const next = waiting.shift();
  if (next === undefined) running -= 1;
  else next();
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
