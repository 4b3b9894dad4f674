import type { AgentClient } from './agent-client.ts';
import { valuesAt } from './paths.ts';
import type { TestKit } from './storyboard.ts';

const DIRECTIVE = '$build_assets_from_format';

interface Surroundings {
  readonly client: AgentClient;
  readonly kit: TestKit;
}

/** Replaces each directive to build the assets of a format by assets of the test kit. */
export async function buildAssets(value: unknown, surroundings: Surroundings): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((one) => buildAssets(one, surroundings)));
  if (typeof value !== 'object' || value === null) return value;
  if (DIRECTIVE in value) return assetsOf((value as Readonly<Record<string, unknown>>)[DIRECTIVE], surroundings);
  const entries = Object.entries(value).map(async ([key, one]) => [key, await buildAssets(one, surroundings)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function assetsOf(formatId: unknown, { client, kit }: Surroundings): Promise<Record<string, unknown>> {
  const { data } = await client.call('list_creative_formats', { format_ids: [formatId] });
  const slots = valuesAt(data, 'formats[0].assets[*]') as readonly Readonly<Record<string, unknown>>[];
  const needed = slots.filter((slot) => slot['required'] === true);
  return Object.fromEntries(needed.map((slot) => [String(slot['asset_id']), assetFor(slot, kit)]));
}

function assetFor(slot: Readonly<Record<string, unknown>>, kit: TestKit): Record<string, unknown> {
  const type = String(slot['asset_type']);
  const [width, height] = ['max_width', 'max_height'].map((name) => valuesAt(slot, `requirements.${name}`)[0]);
  switch (type) {
    case 'image': {
      const images = valuesAt(kit, 'assets.images[*]') as readonly Readonly<Record<string, unknown>>[];
      const fitting = images.find((one) => one['width'] === width && one['height'] === height) ?? images[0];
      return { asset_type: type, url: fitting?.['url'], width: fitting?.['width'], height: fitting?.['height'] };
    }
    case 'video':
      return { asset_type: type, url: 'https://cdn.example/ad.mp4', width: 1280, height: 720, duration_ms: 15_000 };
    case 'html':
      return { asset_type: type, content: '<b>Acme</b>' };
    case 'text':
      return { asset_type: type, content: 'Acme Outdoor' };
    default: {
      const [landing] = valuesAt(kit, 'assets.click_url');
      return { asset_type: type, url: typeof landing === 'string' ? landing : 'https://acmeoutdoor.example/' };
    }
  }
}
