import { afterAll } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import { describeEventCounts } from '../hot/fixtures/event-counts-contract.ts';
import { describeHotStore } from '../hot/fixtures/hot-contract.ts';
import { openLedger } from './ledger-store.ts';

const folder = createTestFolder();
afterAll(() => folder.remove());

let now = 1_700_000_000_000;

const advance = async (ms: number): Promise<void> => {
  now += ms;
};
const open = (name: string) => openLedger({ dir: `${folder.dir}/${name}`, nowMs: () => now, log: silentLog });
describeHotStore('the ledger', { open: () => open('contract'), advance });
describeEventCounts('the ledger', { open: () => open('events'), advance });
