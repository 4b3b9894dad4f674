/** One line of a settings file. */
export interface SettingLine {
  readonly value: string;
  /** Counted from 1. */
  readonly line: number;
}

/** What a settings file says. */
export interface SettingsFile {
  readonly lines: ReadonlyMap<string, SettingLine>;
  /** Lines that are wrong, as sentences that begin with the line. */
  readonly problems: readonly string[];
}

/** Most bytes of a settings file. */
export const SETTINGS_FILE_BYTES_MAX = 65_536;
/** A file cannot name another one. */
const OWN_NAME = 'PLACARD_SETTINGS_FILE';
const LINE = /^([A-Z_][A-Z0-9_]*)\s*=(.*)$/;
const QUOTED = /^(["'])(.*)\1$/;

/**
 * Reads `NAME=value` lines. Empty lines and lines that begin with `#` are ignored; quotes around a value are removed, as in files of systemd
 * and container engines.
 */
export function parseSettingsFile(text: string): SettingsFile {
  const lines = new Map<string, SettingLine>();
  const problems: string[] = [];
  for (const [index, raw] of text
    .replace(/^\u{feff}/u, '')
    .split(/\r?\n/)
    .entries()) {
    const line = index + 1;
    const [, name, value = ''] = LINE.exec(raw.trim()) ?? [];
    const isComment = raw.trim() === '' || raw.trim().startsWith('#');
    const problem = isComment ? null : findProblem(name, lines);
    if (problem !== null) problems.push(`line ${line}: ${problem}`);
    else if (name !== undefined) lines.set(name, { value: unquote(value.trim()), line });
  }
  return { lines, problems };
}

function findProblem(name: string | undefined, known: ReadonlyMap<string, SettingLine>): string | null {
  if (name === undefined) return 'write NAME=value';
  if (!name.startsWith('PLACARD_')) return `${name} is not a setting: the names of all settings begin with PLACARD_`;
  if (name === OWN_NAME) return `${name} belongs in the environment`;
  const first = known.get(name)?.line;
  return first === undefined ? null : `${name} is in line ${first} already`;
}

function unquote(value: string): string {
  return QUOTED.exec(value)?.[2] ?? value;
}
