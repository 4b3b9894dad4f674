import { describe, expect, test } from 'vitest';
import { type HttpResponse } from '../support/http-client.ts';
import { send, server } from './support/server.ts';

const record = (json: Record<string, unknown>): Promise<HttpResponse> =>
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

describe('activity pixel API', () => {
  // Conformance: P1
  test('a new event gets 202 accepted, and its repetition gets 200 duplicate with the same id', async () => {
    const body = event();
    const first = await record(body);
    expect([first.status, first.json<{ status: string }>().status]).toEqual([202, 'accepted']);
    const again = await record(body);
    expect([again.status, again.json<{ status: string }>().status]).toEqual([200, 'duplicate']);
    expect(again.json<{ eventId: string }>().eventId).toBe(first.json<{ eventId: string }>().eventId);
  });

  // Conformance: P2
  test('an unknown activity gets 404 unknown_activity', async () => {
    const response = await record(event({ actgid: 'nobody' }));
    expect([response.status, response.json<{ error: string }>().error]).toEqual([404, 'unknown_activity']);
  });

  // Conformance: P2
  test.each(['abc', '-1', '1e3', '', '1.2.3', 12.5])('a cost of %s gets 400 that names it', async (cost) => {
    const response = await record(event({ cost }));
    expect(response.status).toBe(400);
    expect(response.json<{ message: string }>().message).toContain('cost');
  });

  // Conformance: A2
  test('an event for the network of another key gets 403', async () => {
    expect((await record(event({ network: '2000' }))).status).toBe(403);
  });
});
