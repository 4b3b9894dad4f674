import { expect, test } from 'vitest';
import { PlacardError } from '../../domain/errors.ts';
import type { HttpRequest } from '../../http/shared/route.ts';
import { createTrackingRoutes, type TrackingDeps } from './tracking.routes.ts';

test('requests that were admitted together are refused from the bound on, before their links are opened', () => {
  let waiting = 0;
  const check = (): void => {
    if (waiting >= 3) throw new PlacardError('overloaded', 'Full.');
  };
  const adEvents = {
    impression: () => {
      waiting += 1;
      return new Promise<void>(() => {});
    },
  };
  const [route] = createTrackingRoutes({
    adEvents,
    admission: { check },
    filter: () => '',
    tokens: { open: () => ({ workspaceId: 1 }) },
    catalog: { findWorkspace: () => ({ workspaceId: 1 }) },
    linkKeys: [],
    nowMs: () => 0,
  } as unknown as TrackingDeps);
  for (let request = 0; request < 5; request += 1) route?.admit?.();
  const handle = (): unknown => route?.handler({ method: 'GET', params: {}, headers: {} } as unknown as HttpRequest);
  for (let request = 0; request < 3; request += 1) handle();
  expect(handle).toThrow(expect.objectContaining({ code: 'overloaded' }));
  expect(() => route?.admit?.()).toThrow(expect.objectContaining({ code: 'overloaded' }));
  expect(waiting).toBe(3);
});
