import { describe, expect, test } from 'vitest';
import { graphql } from '../conformance/support/server.ts';

const MUTATION = `mutation ($input: CreateReportScheduleInput!) {
  createReportSchedule(input: $input) { schedule { id } }
}`;

/** Every notation of an internal address that a URL parser or a resolver accepts. */
const INSIDE = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0x0.0x0.0x1/',
  'https://017700000001/',
  'https://0177.0.0.1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://x.localhost/',
  'https://①②⑦.⓪.⓪.①/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::127.0.0.1]/',
  'https://[::7f00:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:0:127.0.0.1]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[64:ff9b:1::127.0.0.1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:7f00:1::]/',
  'https://[fe80::1]/',
  'https://[fe80::1%25eth0]/',
  'https://[fec0::1]/',
  'https://[fd00::1]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[::ffff:169.254.169.254]/',
  'https://[::a9fe:a9fe]/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.0.1/',
  'https://100.64.0.1/',
  'https://198.18.0.1/',
  'http://93.184.216.34/',
  'https://user:pass@93.184.216.34/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/',
];

describe('the webhook of a report schedule', () => {
  test.each(INSIDE)('a webhook refuses an internal address in any notation: %s', async (webhookUrl) => {
    const query = {
      measures: ['campaign_overview.impressions'],
      timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: 'last 7 days' }],
    };
    const response = await graphql(MUTATION, {
      variables: { input: { name: 'ssrf', cron: '0 6 * * 1', query, webhookUrl } },
    });
    expect(response.text).toContain('input.webhookUrl');
    expect(response.text).not.toContain('"schedule":{');
  });
});
