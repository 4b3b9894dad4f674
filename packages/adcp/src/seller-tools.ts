import { createMediaBuy } from './tools/create-media-buy.ts';
import { getCapabilities } from './tools/get-capabilities.ts';
import { getDelivery } from './tools/get-delivery.ts';
import { getMediaBuys } from './tools/get-media-buys.ts';
import { getProducts } from './tools/get-products.ts';
import { getTaskStatus } from './tools/get-task-status.ts';
import { listAccounts } from './tools/list-accounts.ts';
import { listCreatives } from './tools/list-creatives.ts';
import { listCreativeFormats } from './tools/list-formats.ts';
import type { SellerTool } from './tools/seller-tool.ts';
import { syncAccounts } from './tools/sync-accounts.ts';
import { syncCreatives } from './tools/sync-creatives.ts';
import { updateMediaBuy } from './tools/update-media-buy.ts';

/** Every tool of the seller. A new one is one row here; docs/selling-to-agents.md lists them (a test compares). */
export const SELLER_TOOLS: readonly SellerTool[] = [
  getCapabilities,
  listAccounts,
  syncAccounts,
  listCreativeFormats,
  getProducts,
  createMediaBuy,
  updateMediaBuy,
  getMediaBuys,
  getTaskStatus,
  syncCreatives,
  listCreatives,
  getDelivery,
];
