import { expect, test } from 'vitest';
import { sampleSnapshot } from '../../../test/worlds/sample-workspace.ts';
import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import { CompiledNetworks, createCatalog } from './compiled-networks.ts';

const NOW_MS = Date.UTC(2026, 10, 28);

/** A workspace with one line item. */
function booked(workspaceId: number, priceMicros: number) {
  const snapshot = sampleSnapshot({ lineItems: [{ id: '7', type: 'PRICE', priceMicros }] });
  const workspace = { ...snapshot.workspace, workspaceId, networkId: String(workspaceId) };
  return compileWorkspace({ ...snapshot, workspace }, NOW_MS, () => {});
}

test('a look-up of the same id finds the record of its workspace, as the present snapshot has it', () => {
  const first = booked(1, 1_000_000);
  let present = new CompiledNetworks([first, booked(2, 2_000_000)]);
  const catalog = createCatalog(() => present);
  const price = (workspaceId: number): number | undefined => catalog.findLineItem(workspaceId, '7')?.priceMicros;
  expect([price(1), price(1), price(2), price(1), price(3)]).toEqual([
    1_000_000,
    1_000_000,
    2_000_000,
    1_000_000,
    undefined,
  ]);
  present = new CompiledNetworks([booked(1, 3_000_000)]);
  expect([price(1), price(2)]).toEqual([3_000_000, undefined]);
});
