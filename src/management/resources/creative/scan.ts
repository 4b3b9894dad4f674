import type { CreativeScan } from '../../../domain/booking/creative.ts';
import { type ScanWarning, warnOfScan } from '../../../domain/booking/creative-scan.ts';
import { builder } from '../../kernel/builder.ts';
import { objectRefOf } from '../../kernel/resource-types.ts';
import { scanOf } from './scan-row.ts';

const ScanWarningRef = builder.objectRef<ScanWarning>('CreativeScanWarning').implement({
  description: 'Something in a creative that may keep it from working or from being counted.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Stable code, such as `insecure_address`.' }),
    message: t.exposeString('message', { description: 'What it means, and what to do.' }),
  }),
});

const ScanRef = builder.objectRef<CreativeScan>('CreativeScan').implement({
  description: 'What the text of a creative says that it does. Nothing is run or fetched.',
  fields: (t) => ({
    insecureUrls: t.stringList({
      description: 'Addresses without https, at most 50.',
      resolve: ({ insecureUrls }) => [...insecureUrls],
    }),
    hosts: t.stringList({ description: 'Hosts that it names, at most 50.', resolve: ({ hosts }) => [...hosts] }),
    usesCookies: t.exposeBoolean('usesCookies', { description: 'Whether it uses cookies.' }),
    usesStorage: t.exposeBoolean('usesStorage', { description: 'Whether it uses storage of the browser.' }),
    usesDocumentWrite: t.exposeBoolean('usesDocumentWrite', { description: 'Whether it uses document.write.' }),
    hasClickMacro: t.exposeBoolean('hasClickMacro', {
      nullable: true,
      description: 'Whether it has a click macro or a click tag; null where clicks need none.',
    }),
    warnings: t.field({
      type: [ScanWarningRef],
      description: 'What is doubtful, in words.',
      resolve: warnOfScan,
    }),
  }),
});

/** Adds `scan` to creatives, of line items and of the library. */
export function defineScans(): void {
  for (const type of ['Creative', 'LibraryCreative']) {
    builder.objectField(objectRefOf(type), 'scan', (t) =>
      t.field({ type: ScanRef, description: 'What its code and its addresses do.', resolve: scanOf }),
    );
  }
}
