import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSchema, type GraphQLEnumType } from 'graphql';
import { afterEach, expect, test } from 'vitest';
import { ERROR_CODES } from '../../../../src/domain/error-codes.ts';
import { readTexts } from '../../messages/all-texts.ts';
import { speakIn } from '../../messages/language.ts';
import { ApiProblem, describeProblem, fieldMessage } from './problem.ts';

afterEach(() => speakIn('en'));

function refused(code: string): ApiProblem {
  const fields = [{ path: 'input.price', code, message: 'The price is below the floor of 6.00.' }];
  return new ApiProblem({ code: 'validation_failed', message: '', status: 400, fields });
}

test('a refused field is said in the language of the person, and in English as the server says it', async () => {
  expect(fieldMessage(refused('below_floor'), 'price')).toBe('The price is below the floor of 6.00.');
  await speakIn('de');
  expect(fieldMessage(refused('BELOW_FLOOR'), 'price')).toBe('Der Preis liegt unter einem Mindestpreis.');
  expect(fieldMessage(refused('below_floor'), 'price')).toBe('Der Preis liegt unter einem Mindestpreis.');
});

test('a code that the console does not know leaves the message of the server', async () => {
  await speakIn('de');
  expect(fieldMessage(refused('of_a_later_version'), 'price')).toBe('The price is below the floor of 6.00.');
});

test('every code of a fault is one of the API', async () => {
  const schema = readFileSync(fileURLToPath(new URL('../../../../contract/schema.graphql', import.meta.url)), 'utf8');
  const known = (buildSchema(schema).getType('UserErrorCode') as GraphQLEnumType).getValues().map(({ name }) => name);
  const named = [...(await readTexts('en')).keys()].flatMap((key) => (key.startsWith('fault.') ? [key.slice(6)] : []));
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

test('a refusal is said in the language of the person before the message of the server', async () => {
  const problem = new ApiProblem({ code: 'conflict', message: 'The name is taken.', status: 409 });
  expect(describeProblem(problem)).toBe('The name is taken.');
  await speakIn('de');
  expect(describeProblem(problem)).toMatch(/^Jemand hat es .* \(The name is taken\.\)$/);
});

test.each(['de', 'pl'] as const)('every error code of the server has a sentence in %s', async (language) => {
  const texts = await readTexts(language);
  const silent = ERROR_CODES.filter((code) => !texts.has(`error.${code}`) && !texts.has(`error_code.${code}`));
  expect(silent).toEqual([]);
});
