import type { Change, ChangedObject } from './change.ts';

/** The type of the input of each mutation, and the member of its payload. */
const MUTATIONS: Readonly<Record<ChangedObject, { readonly type: string; readonly member: string }>> = {
  LineItem: { type: 'LineItem', member: 'lineItem' },
  Campaign: { type: 'Campaign', member: 'campaign' },
  Advertiser: { type: 'Advertiser', member: 'advertiser' },
  Creative: { type: 'Creative', member: 'creative' },
  Deal: { type: 'Deal', member: 'deal' },
  Site: { type: 'Site', member: 'site' },
  Area: { type: 'Area', member: 'area' },
  AdUnit: { type: 'AdUnit', member: 'adUnit' },
  Segment: { type: 'Segment', member: 'segment' },
  Network: { type: 'Network', member: '' },
};

/** A mutation of the management API that a client can send as it is. */
export interface ChangeDocument {
  /** Such as `updateLineItem`. */
  readonly mutation: string;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The mutation that carries out a change. */
export function writeChangeDocument({ object, id, version, input }: Change): ChangeDocument {
  const { type, member } = MUTATIONS[object];
  const verb = id === null && object !== 'Network' ? 'create' : 'update';
  const mutation = `${verb}${type}`;
  const inputType = `${verb === 'create' ? 'Create' : 'Update'}${type}Input!`;
  const known: readonly (readonly [name: string, type: string, value: unknown])[] = [
    ['id', 'ID!', id],
    ['version', 'Int', version],
    ['input', inputType, input],
  ];
  const given = known.filter(([, , value]) => value !== null);
  const declared = given.map(([name, typeName]) => `$${name}: ${typeName}`).join(', ');
  const passed = given.map(([name]) => `${name}: $${name}`).join(', ');
  const selected = member === '' ? '{ id }' : `{ ${member} { id version } }`;
  return {
    mutation,
    document: `mutation (${declared}) { ${mutation}(${passed}) ${selected} }`,
    variables: Object.fromEntries(given.map(([name, , value]) => [name, value])),
  };
}
