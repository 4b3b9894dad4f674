import { describeDimension, describeMeasure, describeSegment } from './annotation.ts';
import type { CubeDefinition, Model } from '../model/cube.ts';

/** The body of `GET /meta`. Every list is there, empty or not: Cube clients rely on it. */
export interface MetaBody {
  readonly cubes: readonly Record<string, unknown>[];
}

/** Describes the visible part of a model. `currency` (ISO 4217) is put on members that are money, when the network's is known. */
export function describeModel(model: Model, currency: string | null = null): MetaBody {
  const components = new Map<unknown, number>();
  const cubes = model.cubes.map((cube) => {
    const root = cube.relations[0]?.from;
    if (!components.has(root)) components.set(root, components.size + 1);
    return describeCube(cube, components.get(root) ?? 1, currency);
  });
  return { cubes };
}

function describeCube(
  cube: CubeDefinition,
  connectedComponent: number,
  currency: string | null,
): Record<string, unknown> {
  return {
    name: cube.name,
    type: cube.view === true ? 'view' : 'cube',
    title: cube.title,
    ...(cube.description === undefined ? {} : { description: cube.description }),
    ...(cube.meta === undefined ? {} : { meta: cube.meta }),
    isVisible: true,
    public: true,
    connectedComponent,
    measures: describeMeasures(cube, currency),
    dimensions: describeDimensions(cube),
    segments: Object.entries(cube.segments ?? {}).map(([name, definition]) => ({
      name: `${cube.name}.${name}`,
      ...describeSegment({ cube, name, fullName: `${cube.name}.${name}`, definition }),
      isVisible: true,
      public: true,
    })),
    hierarchies: Object.entries(cube.hierarchies ?? {}).map(([name, { title, levels }]) => ({
      name: `${cube.name}.${name}`,
      title,
      levels: levels.map((level) => `${cube.name}.${level}`),
      public: true,
    })),
    folders: (cube.folders ?? []).map(({ name, includes }) => ({
      name,
      members: includes.map((member) => `${cube.name}.${member}`),
    })),
    nestedFolders: (cube.folders ?? []).map(({ name, includes }) => ({
      name,
      members: includes.map((member) => `${cube.name}.${member}`),
    })),
  };
}

const AGG_TYPES: Readonly<Record<string, string>> = { number: 'number', time: 'time' };

function describeMeasures(cube: CubeDefinition, currency: string | null): Record<string, unknown>[] {
  const visible = Object.entries(cube.measures).filter(([, definition]) => definition.public ?? true);
  return visible.map(([name, definition]) => {
    const cumulative = definition.rollingWindow !== undefined;
    const money =
      definition.format === 'currency' && definition.currency === undefined && currency !== null ? { currency } : {};
    return {
      name: `${cube.name}.${name}`,
      ...describeMeasure({ cube, name, fullName: `${cube.name}.${name}`, definition }),
      ...money,
      aggType: definition.aggType ?? AGG_TYPES[definition.type] ?? definition.type,
      cumulative,
      cumulativeTotal: cumulative,
      isVisible: true,
      public: true,
    };
  });
}

function describeDimensions(cube: CubeDefinition): Record<string, unknown>[] {
  const visible = Object.entries(cube.dimensions).filter(
    ([, { public: isPublic, primaryKey }]) => isPublic ?? primaryKey !== true,
  );
  return visible.map(([name, definition]) => {
    return {
      name: `${cube.name}.${name}`,
      ...describeDimension({ cube, name, fullName: `${cube.name}.${name}`, definition }),
      suggestFilterValues: definition.suggestFilterValues ?? true,
      isVisible: true,
      public: true,
      primaryKey: definition.primaryKey ?? false,
    };
  });
}
