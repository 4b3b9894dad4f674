import { afterEach, expect, test, vi } from 'vitest';
import { copyEnvironment } from './child-environment.ts';
import { readSettings } from './settings.ts';

afterEach(() => vi.unstubAllEnvs());

test('a restored copy gets what opens its backup, wherever the settings come from, and no address of the first installation', () => {
  vi.stubEnv('PLACARD_SETTINGS_FILE', '/etc/placard/settings.env');
  vi.stubEnv('PLACARD_REDIS_URL', 'redis://first');
  const files: Readonly<Record<string, string>> = {
    '/etc/placard/settings.env':
      "PLACARD_BACKUP_PASSPHRASE_FILE=/etc/placard/passphrase\nPLACARD_BACKUP_CLICKHOUSE_TO=Disk('backups', '{name}')\nPLACARD_POSTGRES_URL=postgres://first/placard\n",
    '/etc/placard/passphrase': 'correct horse battery\n',
  };
  const settings = readSettings({ PLACARD_SETTINGS_FILE: '/etc/placard/settings.env' }, (path) => files[path] ?? '');
  const copy = copyEnvironment('/tmp/copy', settings, 'http://db/drill');
  expect(copy).toMatchObject({
    PLACARD_BACKUP_PASSPHRASE: 'correct horse battery',
    PLACARD_BACKUP_CLICKHOUSE_TO: "Disk('backups', '{name}')",
    PLACARD_CLICKHOUSE_URL: 'http://db/drill',
    PLACARD_DATA: '/tmp/copy',
  });
  const others = ['PLACARD_SETTINGS_FILE', 'PLACARD_REDIS_URL', 'PLACARD_POSTGRES_URL'];
  expect(others.filter((name) => copy[name] !== undefined)).toEqual([]);
});
