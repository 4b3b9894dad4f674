import { askGraphql } from '../transport/graphql.ts';
import type { Scope } from '../transport/scope.ts';
import type {
  BookedKind,
  DeliveryCaps,
  FrequencyCap,
  Goal,
  LineItemType,
  NamedChoice,
  PricingModel,
} from './desk-list.ts';
import { TARGETING_FIELDS, type TargetingTree } from './targeting.ts';

export const PACINGS = ['EVEN', 'FRONT_LOADED', 'ASAP'] as const;
export type Pacing = (typeof PACINGS)[number];
export const ROTATIONS = ['EVEN', 'WEIGHTED', 'OPTIMISED', 'SEQUENTIAL'] as const;
export const OPTIMISATION_GOALS = ['CLICKS', 'CONVERSIONS', 'VIEWABLE_IMPRESSIONS', 'COMPLETED_VIEWS'] as const;
export const ROADBLOCKS = ['ONE', 'AS_MANY_AS_POSSIBLE', 'ALL'] as const;
export const COMPANION_MODES = ['NONE', 'OPTIONAL', 'AT_LEAST_ONE', 'ALL'] as const;

/** Days of a week (1 = Monday) with a span of minutes. */
export interface DayPart {
  readonly days: readonly number[];
  readonly startMinute: number;
  readonly endMinute: number;
}

/** An activity whose conversions are credited. `events` empty: every event of it. */
export interface CountedActivity {
  readonly activityId: string;
  readonly events: readonly string[];
}

/** The value of a custom field. */
export type CustomValue = string | number | boolean | null;

/** All that a person sets of a line item, but for its status. Instants are ISO 8601, money is exact text. */
export interface LineItemSettings {
  readonly name: string;
  readonly type: LineItemType;
  readonly advertisingProductId: string | null;
  readonly dealId: string | null;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  /** Null: the network's. */
  readonly timezone: string | null;
  readonly dayParts: readonly DayPart[];
  readonly goal: Goal | null;
  readonly pauseAfterGoal: boolean;
  readonly pacing: Pacing;
  readonly price: string;
  readonly pricingModel: PricingModel;
  readonly level: number;
  readonly sharePercent: number | null;
  readonly targeting: TargetingTree | null;
  readonly frequencyCaps: readonly FrequencyCap[];
  readonly serveWithoutUser: boolean;
  readonly caps: DeliveryCaps;
  readonly exclusionLabels: readonly string[];
  readonly creativeRotation: (typeof ROTATIONS)[number];
  readonly optimisationGoal: (typeof OPTIMISATION_GOALS)[number] | null;
  readonly roadblock: (typeof ROADBLOCKS)[number];
  readonly companionMode: (typeof COMPANION_MODES)[number];
  readonly countedActivities: readonly CountedActivity[];
  readonly labels: readonly string[];
  readonly owner: string | null;
  readonly teamId: string | null;
  readonly notes: string;
  readonly externalId: string | null;
  readonly customFields: Readonly<Record<string, CustomValue>>;
}

/** The name of a setting, as the API has it. */
export type SettingName = keyof LineItemSettings;

/** The settings that the lists of line items do not select. */
export const SETTING_FIELDS = `advertisingProductId dealId dayParts { days startMinute endMinute } pauseAfterGoal pacing
  sharePercent targeting ${TARGETING_FIELDS} serveWithoutUser
  caps { impressionsPerDay impressionsLifetime clicksPerDay clicksLifetime spendPerDay spendLifetime }
  exclusionLabels creativeRotation optimisationGoal roadblock companionMode countedActivities { activityId events }
  owner teamId notes externalId customFields`;

/** More targetings exceed what one query may cost. */
const TARGETINGS_A_PAGE = 25;
const TARGETINGS = `query DeskTargetings($ids: [ID!]) { lineItems(filter: { ids: $ids }, first: ${TARGETINGS_A_PAGE}) {
  nodes { id targeting ${TARGETING_FIELDS} } } }`;

/** Reads the targeting of line items by their ids, some at a time. */
export async function loadTargetings(
  scope: Scope,
  ids: readonly string[],
  signal: AbortSignal,
  onProgress?: (count: number) => void,
): Promise<ReadonlyMap<string, TargetingTree | null>> {
  const found = new Map<string, TargetingTree | null>();
  for (let from = 0; from < ids.length; from += TARGETINGS_A_PAGE) {
    const page = { ids: ids.slice(from, from + TARGETINGS_A_PAGE) };
    type Body = { lineItems: { nodes: readonly { readonly id: string; readonly targeting: TargetingTree | null }[] } };
    const { lineItems } = await askGraphql<Body>(scope, TARGETINGS, page, signal);
    for (const { id, targeting } of lineItems.nodes) found.set(id, targeting);
    onProgress?.(found.size);
  }
  return found;
}

/** A custom field, as the network defines it. */
export interface CustomFieldFacts {
  readonly key: string;
  readonly name: string;
  readonly type: 'TEXT' | 'NUMBER' | 'BOOLEAN' | 'DATE' | 'CHOICE';
  readonly choices: readonly string[];
}

/** Teams and custom fields: choices of a booked object that are listed, not searched for by name. */
export interface SettingChoices {
  readonly teams: readonly NamedChoice[];
  readonly customFields: readonly CustomFieldFacts[];
}

const CHOICES = `query SettingChoices { teams(first: 100) { nodes { id name } }
  customFields(first: 100) { nodes { key name type choices kinds status } } }`;

/** Reads the teams of the network and the custom fields of a kind of objects. */
export async function loadSettingChoices(scope: Scope, kind: BookedKind, signal: AbortSignal): Promise<SettingChoices> {
  type Field = CustomFieldFacts & { readonly kinds: readonly string[]; readonly status: string };
  type Body = { teams: { nodes: readonly NamedChoice[] }; customFields: { nodes: readonly Field[] } };
  const { teams, customFields } = await askGraphql<Body>(scope, CHOICES, {}, signal);
  const own = customFields.nodes.filter(
    ({ kinds, status }) => status === 'ACTIVE' && (kinds.length === 0 || kinds.includes(kind)),
  );
  return { teams: teams.nodes, customFields: own };
}
