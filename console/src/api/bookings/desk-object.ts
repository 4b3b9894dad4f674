import type { CreativeFormat } from '../../../../sdk/client/src/schema.ts';
import { LINE_ITEM_FIELDS, type LineItem } from './desk-list.ts';
import type { ObjectKind } from './object-updates.ts';
import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';
import { type LineItemSettings, SETTING_FIELDS } from './line-item-settings.ts';

export type ReviewState = 'PENDING' | 'APPROVED' | 'REJECTED';

/** A creative of a line item. */
export interface Creative {
  readonly id: string;
  readonly name: string;
  readonly format: CreativeFormat;
  readonly width: number;
  readonly height: number;
  readonly status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED';
  readonly reviewState: ReviewState;
  readonly updatedAt: string;
  /** A signed address that shows it. */
  readonly preview: { readonly url: string };
}

const CREATIVES_SHOWN = 100;

/** What pacing promises over the span of a goal; cumulative units. */
export interface GoalCourse {
  readonly step: 'HOUR' | 'DAY';
  /** Whether it delivers at least so much, as ASAP does. */
  readonly isLeast: boolean;
  /** By the end of each hour or day, or by now in the present one. At most 400. */
  readonly points: readonly {
    /** ISO 8601. */
    readonly startsAt: string;
    readonly planned: number;
    readonly projected: { readonly low: number; readonly projected: number; readonly high: number } | null;
  }[];
}

/** A line item with its creatives; null when there is none of this id. */
export type LineItemDetail = LineItem &
  LineItemSettings & {
    /** Null while the counters are unavailable, without a goal, and without an end. */
    readonly delivery: { readonly progress: { readonly course: GoalCourse | null } | null } | null;
    readonly creatives: { readonly nodes: readonly Creative[]; readonly totalCount: number };
  };

const LINE_ITEM = `query DeskLineItem($id: ID!) { lineItem(id: $id) { ${LINE_ITEM_FIELDS}
  ${SETTING_FIELDS}
  delivery { progress { course { step isLeast points { startsAt planned projected { low projected high } } } } }
  creatives(first: ${CREATIVES_SHOWN}) { nodes { id name format width height status reviewState updatedAt preview { url } } totalCount } } }`;

/** Reads one line item; null when the network has none of this id. */
export async function loadLineItem(scope: Scope, id: string, signal: AbortSignal): Promise<LineItemDetail | null> {
  return (await askGraphql<{ lineItem: LineItemDetail | null }>(scope, LINE_ITEM, { id }, signal)).lineItem;
}

/** The kinds of objects whose page shows their history, as the log names them, with the kind of their changes. */
export const LOGGED_KINDS = {
  lineItem: 'lineItem',
  campaign: 'campaign',
  creative: 'creatives',
  libraryCreative: 'libraryCreatives',
} as const satisfies Readonly<Record<string, ObjectKind>>;
export type LoggedKind = keyof typeof LOGGED_KINDS;

/** The name and version of an object as it is now; null when there is none of this id. */
export async function loadVersion(
  scope: Scope,
  kind: LoggedKind,
  id: string,
): Promise<{ readonly name: string; readonly version: number } | null> {
  const query = `query DeskVersion($id: ID!) { found: ${kind}(id: $id) { name version } }`;
  return (await askGraphql<{ found: { name: string; version: number } | null }>(scope, query, { id })).found;
}
