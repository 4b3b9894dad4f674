import { readFileSync } from 'node:fs';
import { buildSchema, getNamedType, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { Principal } from '../../domain/tenancy/principal.ts';
import type { Module, Permission } from '../../domain/tenancy/workspace.ts';
import { type AuthenticatedPrincipal, includesPermission, OPERATIONS, requirePermission } from './permissions.ts';

function principal(change: Partial<Principal> = {}): AuthenticatedPrincipal {
  return {
    kind: 'apiKey',
    actor: 'key:1 "x"',
    id: '1',
    workspaceId: 1,
    networkId: '1000',
    environment: 'production',
    permission: 'admin',
    modules: null,
    remoteAddress: '',
    ...change,
  };
}

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'allowed';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('the permission table', () => {
  test('the permission table names every GraphQL root field, every field below `report`, and nothing else', () => {
    const schema = buildSchema(readFileSync(new URL('../../../contract/schema.graphql', import.meta.url), 'utf8'));
    const roots: string[] = [];
    const below: string[] = [];
    for (const [kind, type] of [
      ['query', schema.getQueryType()],
      ['mutation', schema.getMutationType()],
    ] as const) {
      const fields = type?.getFields() ?? {};
      roots.push(...Object.keys(fields).map((name) => `${kind}.${name}`));
      const report = getNamedType(fields['report']?.type);
      if (isObjectType(report)) below.push(...Object.keys(report.getFields()).map((name) => `${kind}.${name}`));
    }
    const named = Object.keys(OPERATIONS).filter((name) => /^(query|mutation)\.(?!__)/.test(name));
    expect(roots.filter((name) => !named.includes(name))).toEqual([]);
    expect(named.filter((name) => !roots.includes(name) && !below.includes(name))).toEqual([]);
  });

  /** Of the member alone: every permission is enough. */
  const OWN = ['mutation.markNotificationsRead', 'mutation.chooseNotifications', 'mutation.snoozeAttention'];

  test('writing needs at least read-write, and managing members, keys or the log needs admin', () => {
    for (const [name, rule] of Object.entries(OPERATIONS)) {
      const writes = name.startsWith('mutation.') && !rule.schemes.includes('headerCredential') && !OWN.includes(name);
      if (writes) expect([name, includesPermission(rule.permission, 'read-write')]).toEqual([name, true]);
      if (/key|credential|user|member|invitation|audit|session/i.test(name) && !/keyValue/i.test(name)) {
        expect([name, rule.permission, rule.modules]).toEqual([name, 'admin', 'all']);
      }
    }
  });

  test('only login/token pairs open the legacy operations and the download', () => {
    const names = ['query.report_defs', 'query.report_task', 'mutation.generate_report', 'legacy.download'];
    for (const name of names) {
      expect(codeOf(() => requirePermission(principal(), name))).toBe('authentication_required');
      const pair = principal({ kind: 'headerCredential', permission: 'read-only', modules: ['REPORTS'] });
      expect(codeOf(() => requirePermission(pair, name))).toBe('allowed');
    }
  });

  test('only signed-in members have saved views, keys do not', () => {
    const person = principal({ kind: 'session', permission: 'read-only' });
    expect(codeOf(() => requirePermission(person, 'console.views'))).toBe('allowed');
    expect(() => requirePermission(principal(), 'console.views')).toThrow('Sign in first');
  });

  test.each<[Permission, readonly Module[] | null, string, string]>([
    ['admin', null, 'query.auditLog', 'allowed'],
    ['admin', ['DELIVERY'], 'query.auditLog', 'insufficient_permissions'],
    ['read-write', null, 'query.auditLog', 'insufficient_permissions'],
    ['read-only', ['AUDIENCE'], 'query.network', 'allowed'],
    ['read-only', ['DELIVERY'], 'query.campaigns', 'allowed'],
    ['read-only', ['DELIVERY'], 'query.adUnits', 'allowed'],
    ['read-only', ['DELIVERY'], 'query.site', 'allowed'],
    ['read-only', ['DELIVERY'], 'query.areas', 'allowed'],
    ['read-only', ['DELIVERY'], 'query.keyValues', 'allowed'],
    ['read-only', ['DELIVERY'], 'query.segments', 'allowed'],
    ['read-only', ['DELIVERY'], 'query.floors', 'insufficient_permissions'],
    ['read-only', ['DELIVERY'], 'query.activities', 'insufficient_permissions'],
    ['read-write', ['DELIVERY'], 'mutation.createSite', 'insufficient_permissions'],
    ['read-write', ['DELIVERY'], 'mutation.updateAdUnit', 'insufficient_permissions'],
    ['read-write', ['DELIVERY'], 'mutation.createSegment', 'insufficient_permissions'],
    ['read-only', ['REPORTS'], 'query.sites', 'insufficient_permissions'],
    ['read-only', ['DELIVERY'], 'mutation.createCampaign', 'insufficient_permissions'],
    ['read-write', ['DELIVERY', 'INVENTORY'], 'mutation.createSite', 'allowed'],
    ['admin', null, 'query.noSuchField', 'insufficient_permissions'],
    ['admin', null, 'constructor', 'insufficient_permissions'],
  ])('a %s key of %j that requests %s gets %s', (permission, modules, operation, expected) => {
    expect(codeOf(() => requirePermission(principal({ permission, modules }), operation))).toBe(expected);
  });

  test.each([
    'query.users',
    'mutation.inviteUser',
    'mutation.updateMembership',
    'mutation.updateNetwork',
    'query.auditLog',
  ])(
    'an admin key of staging cannot use %s, which reaches production, and an admin member in staging can',
    (operation) => {
      const key = principal({ environment: 'staging' });
      expect(codeOf(() => requirePermission(key, operation))).toBe('insufficient_permissions');
      expect(codeOf(() => requirePermission({ ...key, kind: 'session', verification: 'signIn' }, operation))).toBe(
        'allowed',
      );
      expect(codeOf(() => requirePermission(key, 'mutation.createApiKey'))).toBe('allowed');
    },
  );

  test('a request with two principals acts as the one whose scheme opens the operation', () => {
    const also = principal({ kind: 'headerCredential', id: '9', permission: 'read-only', modules: ['REPORTS'] });
    const both = { ...principal(), also };
    expect(requirePermission(both, 'query.report_defs').id).toBe('9');
    expect(requirePermission(both, 'query.campaigns').id).toBe('1');
  });
});
