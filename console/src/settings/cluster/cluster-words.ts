import { EN_SETTINGS } from '../../messages/en/settings.ts';
import { say } from '../../messages/say.ts';

const PREFIX = 'cluster_said.';

/** The name of a sentence. */
type Said = keyof typeof EN_SETTINGS extends infer Key
  ? Key extends `${typeof PREFIX}${infer Name}`
    ? Name
    : never
  : never;

/** The sentences, each with a pattern that reads its values. */
const SENTENCES = Object.entries(EN_SETTINGS).flatMap(([key, text]) =>
  key.startsWith(PREFIX) ? [{ name: key.slice(PREFIX.length) as Said, pattern: patternOf(text) }] : [],
);

/** The name and the values of a sentence of the server; null: it is not known, such as that of a later version. */
export function findSaid(sentence: string): { readonly name: Said; readonly values: Record<string, string> } | null {
  for (const { name, pattern } of SENTENCES) {
    const found = pattern.exec(sentence);
    if (found !== null) return { name, values: { ...found.groups } };
  }
  return null;
}

/** A sentence of the server in the language of the person; as it is where it is not known. */
export function sayOfCluster(sentence: string): string {
  const said = findSaid(sentence);
  if (said === null) return sentence;
  const { name, values } = said;
  // A value may be a sentence of its own, such as a fact of a node.
  return say(
    `cluster_said.${name}`,
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, sayOfCluster(value)])),
  );
}

/** Matches a text whose `{names}` are filled in. In messages with names, apostrophes are doubled. */
function patternOf(text: string): RegExp {
  const parts = text.split(/\{(\w+)\}/);
  const isMessage = parts.length > 1;
  const source = parts.map((part, at) => {
    if (at % 2 === 1) return `(?<${part}>.*)`;
    return (isMessage ? part.replaceAll("''", "'") : part).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  });
  return new RegExp(`^${source.join('')}$`, 'u');
}
