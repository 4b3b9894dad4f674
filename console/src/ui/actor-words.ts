import { say } from '../messages/say.ts';

/** Who acted, in words: an address instead of `user:7 ann@example.com`, the name of a key instead of `key:12 "CI"`. A name stays as it is. */
export function actorWords(actor: string): string {
  const [, kind = '', id = '', rest = ''] = /^([a-z]+):(\S+) ?(.*)$/su.exec(actor) ?? [];
  if (kind === 'user' && rest !== '') return rest;
  if (kind === 'key') return say('actor.key', { name: nameIn(rest, id) });
  if (kind === 'credential') return say('actor.credential', { name: nameIn(rest, id) });
  if (kind === 'node') return say('actor.node', { id });
  if (kind === 'system') return say('actor.system', { part: id });
  return actor === 'operator' ? say('actor.operator') : actor;
}

function nameIn(quoted: string, id: string): string {
  try {
    return String(JSON.parse(quoted) as unknown);
  } catch {
    return id;
  }
}
