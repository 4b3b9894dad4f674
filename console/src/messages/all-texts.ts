/** All texts at once, for tests: no router loads the areas of a page there. */
import { type Area, AREA_NAMES, AREAS } from './areas.ts';
import { EN_FAULTS } from './en/faults.ts';
import { EN_MEMBERS } from './en/members.ts';
import { EN_QUOTAS } from './en/quotas.ts';
import type { Language, Translation } from './languages.ts';

/** Every text of a language by area. English includes those that exist for their translations alone. */
export async function readAreas(language: Language): Promise<ReadonlyMap<Area, Translation>> {
  const areas = AREA_NAMES.map(async (area) => [area, await AREAS[area][language]()] as const);
  const all = new Map<Area, Translation>(await Promise.all(areas));
  return language === 'en' ? all.set('members', EN_MEMBERS).set('faults', EN_FAULTS).set('quotas', EN_QUOTAS) : all;
}

/** Every text of a language by key. */
export async function readTexts(language: Language): Promise<ReadonlyMap<string, string>> {
  const areas = await readAreas(language);
  return new Map([...areas.values()].flatMap((texts) => Object.entries(texts) as [string, string][]));
}
