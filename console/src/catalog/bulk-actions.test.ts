import { expect, test } from 'vitest';
import type { CatalogRow } from '../api/bookings/catalog.ts';
import { actionsOf, changingOf } from './bulk-actions.ts';

const row = (id: string, fields: object): CatalogRow => ({ id, name: id, version: 1, ...fields }) as never;

const VALUES = {
  status: ['ACTIVE', 'PAUSED', 'ARCHIVED'],
  reviewState: ['PENDING', 'APPROVED', 'REJECTED'],
} as const;

/** The values that each action changes, and to what. */
function changesOf(kind: Parameters<typeof actionsOf>[0]): Record<string, string> {
  return Object.fromEntries(
    actionsOf(kind).map((action) => {
      const rows = VALUES[action.field].map((value) => row(value, { [action.field]: value }));
      const changed = changingOf(action, rows).map(({ id }) => id);
      return [action.verb, `${changed.join(' and ')} to ${action.to}`];
    }),
  );
}

test('objects are archived unless they are, and restored when they are', () => {
  const both = {
    'catalog_action.archive': 'ACTIVE and PAUSED to ARCHIVED',
    'catalog_action.restore': 'ARCHIVED to ACTIVE',
  };
  expect(changesOf('sites')).toEqual(both);
  expect(changesOf('creatives')).toEqual({
    ...both,
    'catalog_action.approve': 'PENDING and REJECTED to APPROVED',
    'catalog_action.reject': 'PENDING and APPROVED to REJECTED',
    'catalog_action.pause': 'ACTIVE to PAUSED',
    'catalog_action.resume': 'PAUSED to ACTIVE',
  });
});

test('only a rejection asks for a reason, and no two actions have one key', () => {
  const actions = actionsOf('creatives');
  expect(actions.filter(({ hasReason }) => hasReason === true).map(({ to }) => to)).toEqual(['REJECTED']);
  const keys = actions.flatMap(({ key }) => key ?? []);
  expect(new Set(keys).size).toBe(keys.length);
});
