import { ApiRefusal, type CallApi, runGraphql } from '../api/call-api.ts';
import { AdcpError } from '../protocol/adcp-error.ts';

/** A line item to book, with the key by which its id is found. */
export interface BookedItem {
  readonly key: string;
  readonly status: 'ACTIVE' | 'PAUSED' | 'RESERVED';
  readonly terms: Readonly<Record<string, unknown>>;
}

interface Booking {
  readonly advertiserId: string;
  readonly externalId: string;
  readonly name: string;
  readonly orderNumber: string | null;
  readonly startsAt: string | null;
  readonly endsAt: string;
  readonly status: 'ACTIVE' | 'PAUSED' | 'DRAFT';
  readonly items: readonly BookedItem[];
}

export const SAVE = `mutation Save($input: SaveCampaignInput!) {
  saveCampaign(input: $input) { campaign { id: databaseId } objects { kind key id } }
}`;

interface Saved {
  readonly saveCampaign: {
    readonly campaign: { readonly id: string };
    readonly objects: readonly { readonly kind: string; readonly key: string | null; readonly id: string }[];
  };
}

/**
 * Books a campaign with its line items, all or nothing. The external id makes a repetition after a crash find the campaign instead of a second one.
 *
 * @returns the id of the campaign, and those of its line items by their keys
 * @throws AdcpError that names the package
 */
export async function book(
  call: CallApi,
  booking: Booking,
): Promise<{ readonly campaignId: string; readonly itemIds: ReadonlyMap<string, string> }> {
  const { items, ...campaign } = booking;
  const input = {
    ...campaign,
    lineItems: items.map(({ key, status, terms }) => ({
      ...terms,
      key,
      status,
      externalId: `${booking.externalId}-${key}`,
    })),
  };
  const { saveCampaign: saved } = await withFields(() =>
    runGraphql<Saved>(call, { query: SAVE, variables: { input } }),
  );
  const itemIds = new Map(saved.objects.flatMap(({ key, id }) => (key === null ? [] : [[key, id] as const])));
  return { campaignId: saved.campaign.id, itemIds };
}

/** Runs a write; names the package of a problem as the buyer knows it. */
export async function withFields<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    if (error.code === 'conflict') throw error;
    const [problem] = error.problems;
    const index = /lineItems\.(\d+)/.exec(problem?.path ?? '')?.[1];
    const at = index === undefined ? {} : { field: `packages[${index}]` };
    throw new AdcpError('VALIDATION_ERROR', problem?.message ?? error.message, at);
  }
}
