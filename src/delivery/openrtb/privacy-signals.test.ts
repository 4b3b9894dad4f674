import { describe, expect, test } from 'vitest';
import { parseAdsRequest } from '../ad-request/ads-request.ts';
import { parseBidRequest } from './bid-request.ts';
import { resolvePrivacy } from '../ad-request/privacy.ts';

const endpoints = {
  bid: (more: object) =>
    parseBidRequest({
      id: 'r',
      imp: [{ id: 'i', banner: {} }],
      site: { id: 's', domain: 'd.example' },
      ...more,
    }).privacy,
  ads: (more: object) => parseAdsRequest({ network: '1000', adUnit: 'a', ...more }).privacy,
};

describe.each(Object.entries(endpoints))('privacy signals of the %s endpoint', (_endpoint, read) => {
  const reasonOf = (more: object): string | null => resolvePrivacy(read(more)).reason;

  test.each([0, '0', false])('gdpr %j counts as no', (gdpr) => {
    expect(read({ regs: { gdpr } }).gdpr).toBe(0);
    expect(read({ regs: { ext: { gdpr } } }).gdpr).toBe(0);
  });

  test.each([undefined, null])('gdpr %j counts as absent', (gdpr) => {
    expect(read({ regs: { gdpr } }).gdpr).toBeNull();
  });

  test.each([1, '1', true, 'true', 'yes', 2, -1, [1], {}, ''])('gdpr %j counts as yes in either member', (gdpr) => {
    expect(reasonOf({ regs: { gdpr } })).toBe('no_consent');
    expect(reasonOf({ regs: { ext: { gdpr } } })).toBe('no_consent');
    expect(reasonOf({ regs: { gdpr: 0, ext: { gdpr } } })).toBe('no_consent');
  });

  test.each([1, '1', true, 'yes', 2])('coppa, dnt, lmt and npa of %j count', (on) => {
    expect(reasonOf({ regs: { coppa: on } })).toBe('coppa');
    expect(reasonOf({ regs: { coppa: 0, ext: { coppa: on } } })).toBe('coppa');
    expect(reasonOf({ device: { dnt: on } })).toBe('tracking_limited');
    expect(reasonOf({ device: { lmt: on } })).toBe('tracking_limited');
    expect(reasonOf({ user: { ext: { npa: on } } })).toBe('npa_flag');
    expect(reasonOf({ user: { npa: on } })).toBe('npa_flag');
  });

  test.each([0, '0', false, null])('coppa, dnt, lmt and npa of %j do not count', (off) => {
    const device = { dnt: off, lmt: off };
    expect(reasonOf({ regs: { coppa: off }, device, user: { npa: off, ext: { npa: off } } })).toBeNull();
  });

  test('US Privacy, GPP and consent count in either member', () => {
    expect(reasonOf({ regs: { us_privacy: '1YYY' } })).toBe('us_opt_out');
    expect(reasonOf({ regs: { ext: { us_privacy: '1YYY' } } })).toBe('us_opt_out');
    expect(reasonOf({ regs: { us_privacy: '', ext: { gpp: 'DBABLA~1YYN' } } })).toBe('us_opt_out');
    expect(read({ user: { consent: 'a', ext: { consent: 'b' } } }).consent).toBe('a');
    expect(read({ user: { consent: '', ext: { consent: 'b' } } }).consent).toBe('b');
  });
});
