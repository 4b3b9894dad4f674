import { translationOf } from '../messages/language.ts';
import type { Member, ReportModel } from './report-model.ts';

interface MetaMember {
  readonly name: string;
  readonly shortTitle?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: unknown;
  readonly currency?: string;
  readonly drillMembers?: readonly string[];
  readonly aggType?: string;
  readonly isVisible?: boolean;
}

/** The body of `GET /meta`, as far as the Lens reads it. */
export interface MetaBody {
  readonly cubes: readonly {
    readonly name: string;
    readonly measures: readonly MetaMember[];
    readonly dimensions: readonly MetaMember[];
  }[];
}

/** Reads the members of all cubes that are open to the caller. */
export function readReportModel(meta: MetaBody): ReportModel {
  const visible = (members: readonly MetaMember[]): Member[] =>
    members.filter((member) => member.isVisible !== false).map(readMember);
  const measures = meta.cubes.flatMap((cube) => visible(cube.measures));
  const dimensions = meta.cubes.flatMap((cube) => visible(cube.dimensions));
  const byName = (members: readonly Member[]): Map<string, Member> =>
    new Map(members.map((member) => [member.name, member]));
  return {
    measures: byName(measures),
    dimensions: byName(dimensions.filter((member) => member.type !== 'time')),
    time: dimensions.find((member) => member.type === 'time') ?? null,
  };
}

const TYPES = ['string', 'number', 'boolean', 'time'] as const;

function readMember(raw: MetaMember): Member {
  const ownName = raw.name.split('.').at(-1) ?? '';
  return {
    name: raw.name,
    shortTitle: translationOf(`member.${ownName}`) ?? raw.shortTitle ?? raw.title ?? raw.name,
    description: translationOf(`member_text.${ownName}`) ?? raw.description ?? '',
    type: TYPES.find((type) => type === raw.type) ?? 'string',
    format: raw.format === 'percent' || raw.format === 'currency' ? raw.format : null,
    currency: raw.currency ?? null,
    drillMembers: raw.drillMembers ?? [],
    isAdditive: raw.aggType === 'sum' || raw.aggType === 'count',
  };
}
