import { type CallApi, runGraphql } from '../api/call-api.ts';
import { named } from './book.ts';

/** The changes of one line item. */
export interface ItemChange {
  readonly id: string;
  readonly version: number;
  /** As `changeBooking` takes it; empty: the booking stays. */
  readonly booking: Readonly<Record<string, unknown>>;
  readonly status: 'ACTIVE' | 'PAUSED' | null;
}

/** The changes of a campaign and its line items. */
export interface BuyChange {
  readonly id: string;
  readonly version: number;
  /** As `updateCampaign` takes it; empty: the campaign stays. */
  readonly campaign: Readonly<Record<string, unknown>>;
  readonly items: readonly ItemChange[];
}

/** The document of a change, and its variables. The campaign comes first: its flight holds those of the packages. */
export function documentOf({ id, version, campaign, items }: BuyChange) {
  const parts: { readonly field: string; readonly types: string; readonly values: Record<string, unknown> }[] = [];
  if (Object.keys(campaign).length > 0)
    parts.push({
      field: 'campaign: updateCampaign(id: $id, version: $version, input: $campaign) { campaign { id } }',
      types: '$id: ID!, $version: Int, $campaign: UpdateCampaignInput!',
      values: { id, version, campaign },
    });
  for (const [index, item] of items.entries()) {
    const hasBooking = Object.keys(item.booking).length > 0;
    if (hasBooking)
      parts.push({
        field: `b${index}: changeBooking(id: $i${index}, version: $v${index}, input: $b${index}) { lineItem { id } }`,
        types: `$i${index}: ID!, $v${index}: Int, $b${index}: ChangeBookingInput!`,
        values: { [`i${index}`]: item.id, [`v${index}`]: item.version, [`b${index}`]: item.booking },
      });
    if (item.status !== null)
      parts.push({
        field: `s${index}: updateLineItem(id: $j${index}, version: $w${index}, input: $s${index}) { lineItem { id } }`,
        types: `$j${index}: ID!, $w${index}: Int, $s${index}: UpdateLineItemInput!`,
        // The booking of the same document makes a version of its own.
        values: {
          [`j${index}`]: item.id,
          [`w${index}`]: hasBooking ? null : item.version,
          [`s${index}`]: { status: item.status },
        },
      });
  }
  const query = `mutation Change(${parts.map(({ types }) => types).join(', ')}) { ${parts.map(({ field }) => field).join(' ')} }`;
  return {
    query,
    variables: Object.assign({}, ...parts.map(({ values }) => values)) as Record<string, unknown>,
    count: parts.length,
  };
}

/** Makes all changes or none. @throws AdcpError that names what is wrong */
export async function changeBuy(call: CallApi, requestId: string, change: BuyChange): Promise<void> {
  const { query, variables, count } = documentOf(change);
  if (count === 0) return;
  // A document with an idempotency key is one transaction.
  const headers = { 'idempotency-key': `adcp-${requestId}` };
  await named('', () => runGraphql(call, { query, variables, headers }));
}
