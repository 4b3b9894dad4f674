/** One member of the semantic model, as `/meta` describes it. */
export interface Member {
  /** With its cube: `campaign_overview.clicks`. */
  readonly name: string;
  readonly shortTitle: string;
  readonly description: string;
  readonly type: 'string' | 'number' | 'boolean' | 'time';
  readonly format: 'percent' | 'currency' | null;
  /** ISO 4217, for money. */
  readonly currency: string | null;
  readonly drillMembers: readonly string[];
  /** The values of parts add up to that of the whole: counts and money, no rates and no different users. */
  readonly isAdditive: boolean;
}

/** The members of one cube that may be queried. */
export interface ReportModel {
  readonly measures: ReadonlyMap<string, Member>;
  /** Without the time, which is asked by granularity. */
  readonly dimensions: ReadonlyMap<string, Member>;
  readonly time: Member | null;
}

/** Any member by name; null when the model has none of it. */
export function findMember(model: ReportModel, name: string): Member | null {
  return model.measures.get(name) ?? model.dimensions.get(name) ?? (model.time?.name === name ? model.time : null);
}
