import { expect, test } from 'vitest';
import { z } from 'zod';
import { resolveGeo } from '../delivery/ad-request/device.ts';
import { parseBidRequest } from '../delivery/openrtb/bid-request.ts';
import { BidRequest } from '../delivery/openrtb/bid.schema.ts';

/** A request with one of each object that the parser descends into. Native has a specification of its own. */
const REQUEST = {
  id: 'a',
  imp: [
    {
      id: '1',
      banner: { format: [{ w: 300, h: 250 }] },
      video: { companionad: [{ format: [{ w: 300, h: 250 }] }] },
      pmp: { deals: [{ id: 'd' }] },
      ext: {},
    },
  ],
  site: { id: 's', domain: 'example.com', ext: {} },
  device: { geo: {} },
  user: { ext: { ids: {} }, data: [{ segment: [{ id: 'x' }] }] },
  regs: { ext: {} },
  ext: {},
};

/** The same value, which notes each member that is read. */
function noting(value: unknown, path: string, read: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => noting(one, `${path}[]`, read));
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get: (target, name) => {
      if (typeof name !== 'string') return undefined;
      const at = path === '' ? name : `${path}.${name}`;
      read.add(at);
      return noting((target as Record<string, unknown>)[name], at, read);
    },
  });
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

function membersOf(schema: Schema, path = ''): string[] {
  const { properties = {}, items, allOf = [], anyOf = [] } = schema;
  const own = Object.entries(properties).flatMap(([name, inner]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [at, ...membersOf(inner, at)];
  });
  const listed = items === undefined ? [] : membersOf(items, `${path}[]`);
  return [...own, ...listed, ...[...allOf, ...anyOf].flatMap((inner) => membersOf(inner, path))];
}

test('the description of a bid request has every member that its parser reads', () => {
  const read = new Set<string>();
  const request = parseBidRequest(noting(REQUEST, '', read));
  resolveGeo(request.device, '', () => ({ country: '', region: '', city: '' }));
  const described = new Set(membersOf(z.toJSONSchema(BidRequest, { io: 'input' }) as Schema));
  expect([...read].filter((member) => !described.has(member))).toEqual([]);
  expect(read.has('ext.keyvalues')).toBe(true);
});
