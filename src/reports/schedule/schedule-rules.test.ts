import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { findRuleProblem, nextInstant } from './cron-rule.ts';
import { deriveWebhookSecret, signMessage } from '../../http/webhooks/webhook-message.ts';
import { findUrlProblem, isAllowedAddress, resolveTarget } from '../../http/webhooks/webhook-target.ts';

const NOW = Date.parse('2026-03-27T12:00:00Z');
const NOBODY = { allowedRanges: [] };

describe('a rule', () => {
  test.each([
    ['0 6 * * 1', null],
    ['*/15 * * * *', null],
    ['*/10 * * * *', /at least 15 minutes/],
    ['0,5 6 * * *', /at least 15 minutes/],
    ['0 6 * *', /five fields/],
    ['0 0 6 * * 1', /five fields/],
    ['61 6 * * *', /not a cron rule/],
    ['hello world how are you', /not a cron rule/],
    ['0 0 30 2 *', /no instant/],
    [`${'0,'.repeat(60)}0 6 * * *`, /five fields/],
  ])('%s', (rule, problem) => {
    const found = findRuleProblem(rule, 'Europe/Warsaw', NOW);
    if (problem === null) expect(found).toBeNull();
    else expect(found).toMatch(problem);
  });

  test('a rule follows the local time of the zone, so that six stays six in summer time', () => {
    const days = ['2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z'].map((after) =>
      nextInstant('0 6 * * *', 'Europe/Warsaw', Date.parse(after))?.toISOString(),
    );
    expect(days).toEqual(['2026-03-29T04:00:00.000Z', '2026-03-30T04:00:00.000Z']);
    expect(nextInstant('0 6 * * *', 'Europe/Warsaw', NOW)?.toISOString()).toBe('2026-03-28T05:00:00.000Z');
  });
});

describe('an address for webhooks', () => {
  test.each([
    ['https://hooks.example.com/x', null],
    ['https://93.184.216.34/', null],
    ['http://hooks.example.com/', /https/],
    ['ftp://hooks.example.com/', /https/],
    ['nonsense', /https/],
    ['https://user:pass@hooks.example.com/', /user and password/],
    ['https://localhost/', /public/],
    ['https://LOCALHOST./', /public/],
    ['https://a.localhost/', /public/],
    ['https://127.0.0.1/', /public/],
    ['https://2130706433/', /public/],
    ['https://0x7f.1/', /public/],
    ['https://[::1]/', /public/],
    ['https://[::ffff:10.0.0.1]/', /public/],
    ['https://[::127.0.0.1]/', /public/],
    ['https://[::7f00:1]/', /public/],
    ['https://017700000001/', /public/],
    ['https://127.1/', /public/],
    ['https://127.0.0.1./', /public/],
    ['https://①②⑦.⓪.⓪.①/', /public/],
    ['https://0/', /public/],
    ['https://[::]/', /public/],
    ['https://[64:ff9b::169.254.169.254]/', /public/],
    ['https://[2002:a9fe:a9fe::]/', /public/],
    ['https://[fe80::1%25eth0]/', /https/],
    [`https://hooks.example.com/${'x'.repeat(2_000)}`, /Shorten/],
  ])('%s', (url, problem) => {
    const found = findUrlProblem(url, NOBODY);
    if (problem === null) expect(found).toBeNull();
    else expect(found).toMatch(problem);
  });

  test.each([
    ['8.8.8.8', true],
    ['2606:4700::1111', true],
    ['10.1.2.3', false],
    ['172.16.0.1', false],
    ['192.168.1.1', false],
    ['127.0.0.53', false],
    ['169.254.169.254', false],
    ['100.64.0.1', false],
    ['0.0.0.0', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['198.18.0.1', false],
    ['::', false],
    ['::1', false],
    ['fe80::1', false],
    ['fd00::1', false],
    ['::ffff:127.0.0.1', false],
    ['64:ff9b::7f00:1', false],
    ['2002:7f00:1::', false],
    ['::127.0.0.1', false],
    ['::7f00:1', false],
    ['::a9fe:a9fe', false],
    ['::ffff:0:7f00:1', false],
    ['64:ff9b:1::a00:1', false],
    ['2001:0:7f00:1::', false],
    ['fe80::1%eth0', false],
    ['2606:4700::1111%eth0', false],
    ['fec0::1', false],
    ['3fff::1', false],
    ['4000::1', false],
    ['0.1.2.3', false],
    ['192.0.0.192', false],
    ['not-an-address', false],
  ])('%s is public: %s', (address, isPublic) => {
    expect(isAllowedAddress(address, NOBODY)).toBe(isPublic);
  });

  test('an address may be private only where the operator allows it', () => {
    const policy = { allowedRanges: ['10.20.0.0/16', 'fd00::/8', '192.168.7.7'] };
    for (const address of ['10.20.3.4', 'fd12::1', '192.168.7.7']) expect(isAllowedAddress(address, policy)).toBe(true);
    for (const address of ['10.21.0.1', '192.168.7.8', '::1']) expect(isAllowedAddress(address, policy)).toBe(false);
  });

  test('an address is looked up when a message is sent, and a name that leads inside is refused', async () => {
    const leadingTo = (...addresses: string[]) =>
      resolveTarget({ url: 'https://hooks.example.com/x', networkId: '1' }, NOBODY, () =>
        Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))),
      );
    await expect(leadingTo('10.0.0.1')).rejects.toThrow(/public/);
    await expect(leadingTo('93.184.216.34', '::1')).rejects.toThrow(/public/);
    await expect(leadingTo()).rejects.toThrow(/cannot be resolved/);
    expect(await leadingTo('2606:4700::1111', '93.184.216.34')).toMatchObject({
      address: '2606:4700::1111',
      family: 6,
    });
    await expect(resolveTarget({ url: 'https://no-such-host.invalid/', networkId: '1' }, NOBODY)).rejects.toThrow(
      /cannot be resolved/,
    );
  });
});

describe('a signature', () => {
  test('a signature is the HMAC of time and body under the secret of the schedule', () => {
    const secret = deriveWebhookSecret(Buffer.alloc(32, 1), 1, 'salt');
    expect(secret).toMatch(/^whsec_[\w-]{43}$/);
    const expected = createHmac('sha256', secret).update('1700000000.{"a":1}').digest('hex');
    expect(signMessage(secret, '{"a":1}', 1_700_000_000_999)).toBe(`t=1700000000,v1=${expected}`);
  });

  test('the signature of another workspace, salt or installation differs', () => {
    const secrets = [
      deriveWebhookSecret(Buffer.alloc(32, 1), 1, 'a'),
      deriveWebhookSecret(Buffer.alloc(32, 1), 2, 'a'),
      deriveWebhookSecret(Buffer.alloc(32, 1), 1, 'b'),
      deriveWebhookSecret(Buffer.alloc(32, 2), 1, 'a'),
    ];
    expect(new Set(secrets).size).toBe(4);
  });
});
