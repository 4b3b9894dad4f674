import { getCapabilities } from './tools/get-capabilities.ts';
import { getProducts } from './tools/get-products.ts';
import { listAccounts } from './tools/list-accounts.ts';
import { listCreativeFormats } from './tools/list-formats.ts';
import type { SellerTool } from './tools/seller-tool.ts';
import { syncAccounts } from './tools/sync-accounts.ts';

/** Every tool of the seller. A new one is one row here; docs/selling-to-agents.md lists them (a test compares). */
export const SELLER_TOOLS: readonly SellerTool[] = [
  getCapabilities,
  listAccounts,
  syncAccounts,
  listCreativeFormats,
  getProducts,
];
