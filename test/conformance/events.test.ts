import { describe, expect, test } from 'vitest';
import { type HttpResponse } from '../support/http-client.ts';
import { BROWSER, graphql, send, server } from './support/server.ts';

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

  test('a page sends an event without a key where the activity accepts it, and is told in a header where it does not', async () => {
    const actgid = `pixel-${process.pid}-${Date.now()}`;
    const made = await graphql(
      'mutation ($input: CreateActivityInput!) { createActivity(input: $input) { activity { id version } } }',
      { variables: { input: { actgid, name: actgid } } },
    );
    const { activity } = made.json<{ data: { createActivity: { activity: { id: string; version: number } } } }>().data
      .createActivity;
    const pixel = `${server.deliveryUrl}/1000/activity?actgid=${actgid}&event=purchased&cost=12.50&ord=o-1`;
    const refused = async (): Promise<string | undefined> => {
      const { status, headers } = await send(pixel, { headers: { 'user-agent': BROWSER } });
      expect([status, headers['content-type']]).toEqual([200, 'image/gif']);
      return headers['x-placard-refused'] as string | undefined;
    };
    await expect.poll(refused).toBe('insufficient_permissions');
    await graphql(
      'mutation ($id: ID!) { updateActivity(id: $id, input: { acceptsPixel: true }) { activity { id } } }',
      { variables: { id: activity.id } },
    );
    await expect.poll(refused).toBeUndefined();
    // The order was recorded by the pixel: a server that sends it as well repeats it.
    const again = await record(event({ actgid, cost: '12.50', ord: 'o-1' }));
    expect([again.status, again.json<{ status: string }>().status]).toEqual([200, 'duplicate']);
  });

  // Conformance: A2
  test('an event for the network of another key gets 403', async () => {
    expect((await record(event({ network: '2000' }))).status).toBe(403);
  });
});
