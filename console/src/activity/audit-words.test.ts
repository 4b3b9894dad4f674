import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { CHANGE_KINDS } from '../../../src/domain/booking/change-types.ts';
import { actorWords } from '../ui/actor-words.ts';
import { actionWords, auditActions, auditKinds, kindWord } from './audit-words.ts';

const server = fileURLToPath(new URL('../../../src', import.meta.url));

describe('words of the audit log', () => {
  test.each([
    ['user:1 anna@example.com', 'anna@example.com'],
    ['key:12 "CI \\"main\\""', 'API key “CI "main"”'],
    ['credential:3 "bi"', 'Report credentials “bi”'],
    ['node:eu-1', 'Node eu-1'],
    ['system:delivery', 'Placard (delivery)'],
    ['operator', 'Operator'],
    ['user:1', 'user:1'],
    ['somebody else', 'somebody else'],
  ])('the actor %s is shown as %s', (actor, words) => {
    expect(actorWords(actor)).toBe(words);
  });

  test('an action is a sentence, and an unknown one is shown as it is', () => {
    expect(actionWords('headerCredential.create')).toBe('Report credentials: created');
    expect(actionWords('network.explode')).toBe('network.explode');
    expect(kindWord('volcano')).toBe('volcano');
  });

  test('only actions of the chosen kind are offered', () => {
    expect(auditActions('apiKey').map(({ value }) => value)).toEqual([
      'apiKey.create',
      'apiKey.revoke',
      'apiKey.rotate',
    ]);
    expect(auditActions('').length).toBeGreaterThan(50);
  });

  test('every action that the server records has words', () => {
    const actions = readdirSync(server, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
      .flatMap((entry) => [
        ...readFileSync(join(entry.parentPath, entry.name), 'utf8').matchAll(
          /action: '(\w+\.\w+)',(?=[^}]{0,80}objectKind)/g,
        ),
      ])
      .map((match) => match[1] ?? '');
    expect(actions.length).toBeGreaterThan(20);
    expect([...new Set(actions)].filter((action) => actionWords(action) === action)).toEqual([]);
  });

  test('every kind of object that changes has a name, and can be chosen', () => {
    expect(CHANGE_KINDS.filter((kind) => !auditKinds().some(({ value }) => value === kind))).toEqual([]);
    expect(auditKinds().filter(({ value, label }) => value === label)).toEqual([]);
    expect(auditActions('').filter(({ value, label }) => value === label)).toEqual([]);
  });
});
