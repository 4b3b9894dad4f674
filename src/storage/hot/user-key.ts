/** The kinds of a user's entries that share the user's record, by the beginning of their keys: `<beginning><workspace>/<user hash>…`. */
const FAMILIES = [
  { prefix: 'f/', kind: 'counter', letter: 'f' },
  { prefix: 'tv/', kind: 'list', letter: 'v' },
  { prefix: 'tc/', kind: 'list', letter: 'c' },
] as const;

/** The kinds of entries that a record of a user holds. */
export type MemberKind = (typeof FAMILIES)[number]['kind'];

/** What the keys of a kind begin with. */
export const MEMBER_PREFIXES = FAMILIES;

/** The position of an entry in a user's record. */
export interface UserKey {
  /** `<workspace>/<user hash>` */
  readonly owner: string;
  /** The letter of its family, then what follows the owner in the key. */
  readonly name: string;
}

/** The position of an entry of a user; null for a key that names no user. */
export function userKeyOf(kind: MemberKind, key: string): UserKey | null {
  const family = familyOf(kind, key);
  if (family === null) return null;
  const from = family.prefix.length;
  const workspaceEnd = key.indexOf('/', from);
  if (workspaceEnd <= from) return null;
  const slash = key.indexOf('/', workspaceEnd + 1);
  const end = slash === -1 ? key.length : slash;
  if (end === workspaceEnd + 1) return null;
  return { owner: key.slice(from, end), name: family.letter + key.slice(end) };
}

/** Called for every key that is read or written, so it looks at characters. */
function familyOf(kind: MemberKind, key: string): (typeof FAMILIES)[number] | null {
  if (kind === 'counter') return key.charCodeAt(0) === 0x66 && key.charCodeAt(1) === 0x2f ? FAMILIES[0] : null;
  if (key.charCodeAt(0) !== 0x74 || key.charCodeAt(2) !== 0x2f) return null;
  const second = key.charCodeAt(1);
  return second === 0x76 ? FAMILIES[1] : second === 0x63 ? FAMILIES[2] : null;
}

/** Members whose keys begin with a text: those of records whose owner begins with `owner`, and whose names begin with `name`. */
export interface MemberPrefix {
  readonly kind: MemberKind;
  readonly owner: string;
  /** The owner is complete: no other record matches. */
  readonly isWhole: boolean;
  readonly name: string;
}

/** The members whose keys begin with a prefix. */
export function memberPrefixesOf(prefix: string): MemberPrefix[] {
  return FAMILIES.flatMap(({ prefix: family, kind, letter }) => {
    if (family.startsWith(prefix)) return [{ kind, owner: '', isWhole: false, name: letter }];
    if (!prefix.startsWith(family)) return [];
    const [workspace = '', user, ...rest] = prefix.slice(family.length).split('/');
    if (user === undefined) return [{ kind, owner: workspace, isWhole: false, name: letter }];
    const isWhole = rest.length > 0;
    return [{ kind, owner: `${workspace}/${user}`, isWhole, name: isWhole ? `${letter}/${rest.join('/')}` : letter }];
  });
}
