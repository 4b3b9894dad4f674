import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { createTestFolder } from '../../../test/support/stores.ts';
import { resolveGeo } from './device.ts';
import { writeMmdbFile } from '../../../test/support/mmdb-file.ts';
import { findNoGeo, openGeoLookup } from './geo-lookup.ts';

const folder = createTestFolder();
const file = join(folder.dir, 'places.mmdb');
writeMmdbFile(file, {
  '192.0.2.0/24': {
    country: { iso_code: 'PL' },
    subdivisions: [{ iso_code: '14' }],
    city: { names: { en: 'Warsaw', pl: 'Warszawa' } },
  },
  '198.51.100.128/25': { country: { iso_code: 'DE' } },
});
const findGeo = await openGeoLookup(file);
afterAll(() => folder.remove());

test.each([
  ['192.0.2.1', { country: 'PL', region: '14', city: 'Warsaw' }],
  ['::ffff:192.0.2.255', { country: 'PL', region: '14', city: 'Warsaw' }],
  ['198.51.100.200', { country: 'DE', region: '', city: '' }],
  ['198.51.100.1', { country: '', region: '', city: '' }],
  ['2001:db8::1', { country: '', region: '', city: '' }],
  ['not an address', { country: '', region: '', city: '' }],
  ['', { country: '', region: '', city: '' }],
])('%s is located at %j', (address, record) => {
  expect(findGeo(address)).toEqual(record);
});

test('the lookup uses the geo of a request before the database, and the address of the device before that of the caller', () => {
  expect(resolveGeo({ geo: { country: 'FRA' } }, '192.0.2.1', findGeo)).toMatchObject({ country: 'FR', city: '' });
  expect(resolveGeo({}, '192.0.2.1', findGeo)).toMatchObject({ country: 'PL', city: 'Warsaw' });
  expect(resolveGeo({ ip: '198.51.100.200' }, '192.0.2.1', findGeo)).toMatchObject({ country: 'DE' });
  expect(resolveGeo({ geo: {} }, '192.0.2.1', findNoGeo)).toEqual({ country: '', region: '', city: '' });
});

test('a file that is not a database is refused', async () => {
  const other = join(folder.dir, 'other.mmdb');
  writeFileSync(other, 'nothing of the kind');
  await expect(openGeoLookup(other)).rejects.toThrow();
  await expect(openGeoLookup(join(folder.dir, 'absent.mmdb'))).rejects.toThrow();
});
