import { expect, test } from 'vitest';
import {
  EMPTY_STATE,
  type InspectorState,
  readInspectorParams,
  readKeyValues,
  toInspectionInput,
  writeInspectorParams,
} from './inspector-state.ts';

const STATE: InspectorState = {
  ...EMPTY_STATE,
  unit: '7',
  size: '300x250',
  country: 'PL',
  device: 'mobile',
  user: 'known',
  userId: 'u-1',
  npa: true,
  keyValues: 'section=sport, topic=a, topic=b',
  segments: ['3', '4'],
  at: '2026-11-25T09:30:00.000Z',
  lineItem: '9',
  whatIfs: [
    { id: '9', what: 'price', value: '12.50' },
    { id: '7', what: 'floor', value: '1' },
  ],
};

test('an address holds all of a state, and keeps what is not of the inspector', () => {
  const written = writeInspectorParams({ network: '1000', unit: '1' }, STATE);
  expect(written['network']).toBe('1000');
  expect(readInspectorParams(written)).toEqual(STATE);
  expect(writeInspectorParams({}, EMPTY_STATE)).toEqual({});
});

test('an address leaves out what it says wrongly', () => {
  const read = readInspectorParams({
    by: 'x',
    user: 'y',
    segments: '1,x,2',
    if: 'a:price:1;1:magic:2;3:price:%E0%A4%A;4:price:2',
  });
  expect(read).toEqual({ ...EMPTY_STATE, segments: ['1', '2'], whatIfs: [{ id: '4', what: 'price', value: '2' }] });
});

test('a state becomes the input of the server', () => {
  expect(toInspectionInput(STATE)).toEqual({
    at: '2026-11-25T09:30:00.000Z',
    form: {
      adUnitId: '7',
      sizes: [{ width: 300, height: 250 }],
      country: 'PL',
      device: 'MOBILE',
      userId: 'u-1',
      isKnownUser: true,
      npa: true,
      segmentIds: ['3', '4'],
      keyValues: [
        { key: 'section', values: ['sport'] },
        { key: 'topic', values: ['a', 'b'] },
      ],
    },
    whatIf: [
      { lineItemId: '9', price: '12.50' },
      { adUnitId: '7', floor: '1' },
    ],
  });
});

test.each([
  [{ source: 'form' }, null],
  [{ source: 'link', link: ' ' }, null],
  [
    { source: 'link', link: 'https://ads.example/1000/why/t', at: '2026-11-25T09:30:00.000Z' },
    { whyLink: 'https://ads.example/1000/why/t' },
  ],
  [{ source: 'link', link: ' auction-1 ' }, { requestId: 'auction-1' }],
  [{ source: 'request', request: '{"id": ' }, 'faulty'],
  [{ source: 'request', request: '{"id": "1"}' }, { bidRequest: { id: '1' } }],
] as const)('a state %j asks for %j', (given, asked) => {
  expect(toInspectionInput({ ...EMPTY_STATE, ...given })).toEqual(asked);
});

test('key-values without a key or value are left out', () => {
  expect(readKeyValues('a=1, =2, b=, c, d = 3=4')).toEqual([
    { key: 'a', values: ['1'] },
    { key: 'd', values: ['3=4'] },
  ]);
});
