import { PlacardError } from '../../domain/errors.ts';
import type { CubeDefinition, DimensionDefinition, MeasureDefinition, Model, SegmentDefinition } from './cube.ts';

/** A member of a cube by its full name, such as `campaign_overview.clicks`. */
export interface Member<T> {
  readonly cube: CubeDefinition;
  /** The part after the dot. */
  readonly name: string;
  readonly fullName: string;
  readonly definition: T;
}

/** The names of a model, looked up by path. Every method throws `invalid_request` (reason `unknown_member`) for a name that it does not know. */
export class MemberIndex {
  readonly #cubes: ReadonlyMap<string, CubeDefinition>;
  readonly model: Model;
  /** Identifies the meaning of the members: it differs between models whose members of the same name differ. */
  readonly version: string;

  constructor(model: Model, version: string = '') {
    this.model = model;
    this.version = version;
    this.#cubes = new Map(model.cubes.map((cube) => [cube.name, cube]));
  }

  measure(path: string): Member<MeasureDefinition> {
    return this.#find(path, (cube) => cube.measures);
  }

  dimension(path: string): Member<DimensionDefinition> {
    return this.#find(path, (cube) => cube.dimensions);
  }

  segment(path: string): Member<SegmentDefinition> {
    return this.#find(path, (cube) => cube.segments ?? {});
  }

  /** Whether the path names a measure; false for dimensions. Throws when it is neither. */
  isMeasure(path: string): boolean {
    const [cube, name] = this.#split(path);
    if (Object.hasOwn(cube.measures, name)) return true;
    if (Object.hasOwn(cube.dimensions, name)) return false;
    throw unknownMember(name, path);
  }

  #find<T>(path: string, of: (cube: CubeDefinition) => Readonly<Record<string, T>>): Member<T> {
    const [cube, name] = this.#split(path);
    const members = of(cube);
    const definition = Object.hasOwn(members, name) ? members[name] : undefined;
    if (definition === undefined) throw unknownMember(name, path);
    return { cube, name, fullName: `${cube.name}.${name}`, definition };
  }

  #split(path: string): [CubeDefinition, string] {
    const [cubeName = '', name = ''] = path.split('.');
    const cube = this.#cubes.get(cubeName);
    if (cube === undefined) throw queryProblem('unknown_member', `Cube '${cubeName}' not found for path '${path}'`);
    return [cube, name];
  }
}

function unknownMember(name: string, path: string): PlacardError {
  return queryProblem('unknown_member', `'${name}' not found for path '${path}'`);
}

/** Why a report query was refused: `reason` in the body, beside the sentence. */
export type QueryProblemReason =
  | 'invalid_query'
  | 'invalid_date'
  | 'unknown_member'
  | 'unsupported_query'
  | 'date_range_required'
  | 'date_range_too_long';

/** A 400 for a report query: a sentence for people, a reason for programs, and the members of `named` in the body. */
export function queryProblem(
  reason: QueryProblemReason,
  sentence: string,
  named: Readonly<Record<string, string>> = {},
): PlacardError {
  return new PlacardError('invalid_request', sentence, { details: { reason, ...named } });
}
