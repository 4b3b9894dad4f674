import { expect, test } from 'vitest';
import { createTestOlapDatabase, silentLog } from '../../../test/support/stores.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { EVENT_OLAP_MIGRATIONS } from './events.olap.ts';

test('the migration to stored_at leaves a constant in older rows, and a retry of an older batch inserts nothing', async () => {
  const { olap, close } = await createTestOlapDatabase();
  const insert = (table: string, id: string): Promise<void> => {
    const row = { event_id: id, workspace_id: 1, kind: 'click', time: '2026-11-20 10:00:00.000' };
    return olap.insertRaw({ table, body: Buffer.from(JSON.stringify(row)), token: id });
  };
  try {
    const older = EVENT_OLAP_MIGRATIONS.filter(({ id }) => id < '0004');
    await migrateOlap({ olap, migrations: older, log: silentLog });
    await insert('events_intake', 'batch');
    await insert('events', 'single');
    await migrateOlap({ olap, migrations: EVENT_OLAP_MIGRATIONS, log: silentLog });
    await insert('events_intake', 'batch');
    await insert('events', 'single');
    await insert('events_intake', 'new');
    const rows = await olap.query({
      sql: 'SELECT event_id, toYear(stored_at) = 1970 AS isOlder FROM events ORDER BY event_id',
    });
    expect(rows).toEqual([
      { event_id: 'batch', isOlder: 1 },
      { event_id: 'new', isOlder: 0 },
      { event_id: 'single', isOlder: 1 },
    ]);
  } finally {
    await close();
  }
});
