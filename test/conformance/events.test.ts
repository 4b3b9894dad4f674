import { describe, expect, test } from 'vitest';
import { type Answer } from '../support/http-client.ts';
import { send, server } from './support/server.ts';

const record = (json: Record<string, unknown>): Promise<Answer> =>
  send(`${server.deliveryUrl}/api/v1/events`, {
    headers: { authorization: `Bearer ${server.demo.keys.audience}` },
    json,
  });

const event = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  network: '1000',
  actgid: server.demo.activity.actgid,
  event: 'purchased',
  cost: '49.90',
  ord: `order-${process.pid}-${Math.random()}`,
  ...over,
});

describe('P · activity pixel API', () => {
  test('P1 a new event is 202 accepted, the same order again 200 duplicate with the same id', async () => {
    const body = event();
    const first = await record(body);
    expect([first.status, first.json<{ status: string }>().status]).toEqual([202, 'accepted']);
    const again = await record(body);
    expect([again.status, again.json<{ status: string }>().status]).toEqual([200, 'duplicate']);
    expect(again.json<{ eventId: string }>().eventId).toBe(first.json<{ eventId: string }>().eventId);
  });

  test('P2 an unknown activity is 404 unknown_activity', async () => {
    const answer = await record(event({ actgid: 'nobody' }));
    expect([answer.status, answer.json<{ error: string }>().error]).toEqual([404, 'unknown_activity']);
  });

  test.each(['abc', '-1', '1e3', '', '1.2.3', 12.5])('P2 a cost of %s is 400 naming it', async (cost) => {
    const answer = await record(event({ cost }));
    expect(answer.status).toBe(400);
    expect(answer.json<{ message: string }>().message).toContain('cost');
  });

  test('A2 the network of another key is 403', async () => {
    expect((await record(event({ network: '2000' }))).status).toBe(403);
  });
});
