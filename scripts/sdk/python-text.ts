/** Pieces of Python that both generators of `sdk/python` write. */

/** A key of a dictionary type: its Python type, whether it must be there, and what it means. */
export interface PythonKey {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly note: string;
}

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
const LINE_MAX = 118;

/** True for a text that can be a name in Python. */
export function isPythonName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.has(name);
}

/** `loadReport` as `load_report`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter, index: number) => `${index === 0 ? '' : '_'}${letter.toLowerCase()}`);
}

/** The first paragraph of a description in one line. */
export function firstParagraph(text: string | null | undefined): string {
  return ((text ?? '').split('\n\n')[0] ?? '').replace(/\s+/g, ' ').trim();
}

/** A documentation text, broken into lines. */
export function docstring(text: string, indent: string): string {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  if (safe === '') return '';
  const lines = wrap(safe, LINE_MAX - indent.length - 6);
  const [only = ''] = lines;
  const body = lines.length === 1 ? only : `${lines.join(`\n${indent}`)}\n${indent}`;
  return `${indent}"""${body.endsWith('"') ? `${body} ` : body}"""\n`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** A dictionary type. Keys that must be there stand in a class of their own, as Python before 3.11 has no other way to say so. */
export function typedDict(name: string, keys: readonly PythonKey[], note: string): string {
  if (keys.some((key) => !isPythonName(key.name))) return functionalDict(name, keys, note);
  const required = keys.filter((key) => key.required);
  const optional = keys.filter((key) => !key.required);
  if (required.length === 0) return classOf(name, optional, { base: 'TypedDict, total=False', note });
  if (optional.length === 0) return classOf(name, required, { base: 'TypedDict', note });
  const parent = `_${name}Required`;
  return `${classOf(parent, required, { base: 'TypedDict', note: '' })}\n\n${classOf(name, optional, { base: `${parent}, total=False`, note })}`;
}

function classOf(name: string, keys: readonly PythonKey[], { base, note }: { base: string; note: string }): string {
  const lines = keys.map((key) => `    ${key.name}: ${key.type}\n${docstring(key.note, '    ')}`);
  const body = `${docstring(note, '    ')}${lines.join('')}`;
  return `class ${name}(${base}):\n${body === '' ? '    pass\n' : body}`;
}

/** For keys that cannot be names, such as `from`. */
function functionalDict(name: string, keys: readonly PythonKey[], note: string): string {
  const lines = keys.map((key) => `        ${JSON.stringify(key.name)}: ${JSON.stringify(key.type)},\n`);
  const comment =
    note === ''
      ? ''
      : `${wrap(note, LINE_MAX)
          .map((line) => `# ${line}`)
          .join('\n')}\n`;
  return `${comment}${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('')}    },\n    total=False,\n)\n`;
}

/** One of several texts. */
export function literal(values: readonly string[]): string {
  return `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
}
