/**
 * Browser tests that share a server, file by file in this order: a server of its own costs each file half a minute. A file that changes
 * what others rely on comes after them.
 */
export const SUITES = {
  console: [
    'dashboards',
    'console-lens',
    'activity',
    'cluster-page',
    'studio',
    'graphiql',
    'inventory',
    'settings',
    'console',
  ],
  desk: [
    'catalog',
    'desk/desk',
    'desk/desk-table',
    'desk/desk-csv',
    'desk/booking',
    'desk/products',
    'desk/line-item-form',
    'desk/journey-booking',
    'desk/journey-review',
    'desk/journey-today',
    'desk/journey-agents',
    'desk/journey-approval',
  ],
  pages: [
    'demo-page',
    'prebid-das',
    'prebid-placard',
    'video-players',
    'tag/tag',
    'tag/gpt',
    'tag/tag-page-life',
    'react',
    'why-page',
    'integrate',
    'docs-page',
    'desk/journey-diagnosis',
  ],
  // The last one renames all that has a name, and the one before adds ten thousand line items.
  everywhere: ['console-everywhere', 'inspector', 'desk/journey-bulk', 'stored-script'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Name of a suite. */
export type Suite = keyof typeof SUITES;

/** Files that start what they need themselves; the longest first. */
export const ALONE: readonly string[] = ['sign-in', 'video/third-party-video', 'mail', 'tag/revive-tags'];

/** The path of a file of browser tests, from the root of the repository. */
export const pathOf = (name: string): string => `test/e2e/${name}.e2e.test.ts`;
/** The path of a suite. */
export const pathOfSuite = (name: string): string => `test/e2e/suites/${name}.suite.ts`;
