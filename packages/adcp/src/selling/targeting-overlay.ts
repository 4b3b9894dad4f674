import { z } from 'zod';
import { AdcpError } from '../protocol/adcp-error.ts';

/** Most values of one dimension of an overlay. */
const VALUES_MAX = 1_000;
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** Kinds of devices of the protocol, by their names in targeting. */
const DEVICES = { desktop: 'desktop', mobile: 'mobile', tablet: 'tablet', ctv: 'tv' } as const;
/** Platforms of the protocol, by the names that requests have. */
const PLATFORMS = {
  ios: ['iOS', 'iPadOS'],
  android: ['Android'],
  windows: ['Windows'],
  macos: ['macOS', 'Mac OS X'],
  linux: ['Linux'],
  chromeos: ['Chrome OS', 'Chromium OS'],
  tvos: ['tvOS'],
  tizen: ['Tizen'],
  webos: ['WebOS'],
  fire_os: ['Fire OS'],
  roku_os: ['Roku'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const keysOf = <K extends string>(table: Readonly<Record<K, unknown>>) => Object.keys(table) as [K, ...K[]];
const list = <T>(item: z.ZodType<T>) => z.array(item).min(1).max(VALUES_MAX);
const Country = z.string().regex(/^[A-Z]{2}$/);
const Region = z.string().regex(/^[A-Z]{2}-[A-Z0-9]{1,3}$/);
const Device = z.enum(keysOf(DEVICES));
const WINDOWS = { minutes: 'MINUTE', hours: 'HOUR', days: 'DAY', campaign: 'LIFETIME' } as const;
const Duration = z.strictObject({ interval: z.int().min(1).max(1_000), unit: z.enum(keysOf(WINDOWS)) });
/** Whose impressions a cap counts. A user of Placard is whom the request names, by cookie, device or the page's own id. */
const PER = { individuals: 'USER', devices: 'USER', cookies: 'USER', households: 'HOUSEHOLD' } as const;
const Per = z.enum(keysOf(PER));

const FrequencyCap = z
  .strictObject({
    suppress: Duration.optional(),
    suppress_minutes: z.int().min(1).max(1_000).optional(),
    max_impressions: z.int().min(1).max(100_000).optional(),
    per: Per.optional(),
    window: Duration.optional(),
  })
  .refine((cap) => cap.max_impressions === undefined || (cap.per !== undefined && cap.window !== undefined), {
    message: 'max_impressions needs per and window',
  })
  .refine((cap) => cap.max_impressions ?? cap.suppress ?? cap.suppress_minutes, {
    message: 'a cap needs max_impressions or suppress',
  });

/** The targeting that a buyer adds to a product. Dimensions that are not here are refused: none is left out silently. */
export const TargetingOverlay = z.looseObject({
  geo_countries: list(Country).optional(),
  geo_countries_exclude: list(Country).optional(),
  geo_regions: list(Region).optional(),
  geo_regions_exclude: list(Region).optional(),
  daypart_targets: z
    .array(
      z
        .looseObject({
          days: z.array(z.enum(DAYS)).min(1).max(7),
          start_hour: z.int().min(0).max(23),
          end_hour: z.int().min(1).max(24),
        })
        .refine((one) => one.end_hour > one.start_hour, { message: 'end_hour is after start_hour' }),
    )
    .min(1)
    .max(50)
    .optional(),
  device_platform: z
    .array(z.enum(keysOf(PLATFORMS)))
    .min(1)
    .max(20)
    .optional(),
  device_type: z.array(Device).min(1).max(10).optional(),
  device_type_exclude: z.array(Device).min(1).max(10).optional(),
  language: list(z.string().regex(/^[a-z]{2}$/)).optional(),
  frequency_cap: FrequencyCap.optional(),
});
export type TargetingOverlay = z.infer<typeof TargetingOverlay>;
type DayPart = NonNullable<TargetingOverlay['daypart_targets']>[number];

const DIMENSIONS = new Set([...Object.keys(TargetingOverlay.shape), 'ext']);

/** What get_adcp_capabilities says of overlays. */
export const OVERLAY_CAPABILITIES = { geo_countries: true, geo_regions: true, language: true } as const;

/** What get_adcp_capabilities says of frequency caps. */
export const CAP_CAPABILITIES = { supported_per_units: keysOf(PER), supported_window_units: keysOf(WINDOWS) } as const;

/** A test or a group of tests, as the management API takes it. */
export type Targeting =
  | { readonly all: readonly Targeting[] }
  | { readonly any: readonly Targeting[] }
  | { readonly test: { dimension: string; operator?: string; values: readonly string[] } };

/** The parts of a booking that an overlay sets. */
export interface OverlayParts {
  /** null: everybody. */
  readonly targeting: Targeting | null;
  readonly frequencyCaps: readonly { count: number; every: number; window: string; per: string }[];
}

/**
 * Translates an overlay. Every dimension that it names is honored.
 *
 * @throws AdcpError `UNSUPPORTED_FEATURE` for a dimension that this seller cannot honor
 */
export function translateOverlay(overlay: TargetingOverlay | undefined, field: string): OverlayParts {
  if (overlay === undefined) return { targeting: null, frequencyCaps: [] };
  const unknown = Object.keys(overlay).find((name) => !DIMENSIONS.has(name));
  if (unknown !== undefined) throw unsupportedDimension(`${field}.${unknown.slice(0, 60)}`);
  const tests = testsOf(overlay);
  return {
    targeting: tests.length === 0 ? null : { all: tests },
    frequencyCaps: capsOf(overlay.frequency_cap),
  };
}

function unsupportedDimension(field: string): AdcpError {
  return new AdcpError('UNSUPPORTED_FEATURE', `This seller cannot target by ${field}.`, {
    field,
    suggestion: 'Remove it, or ask for it in the brief. get_adcp_capabilities lists what can be targeted.',
    details: { accepted_values: [...DIMENSIONS] },
  });
}

function testsOf(overlay: TargetingOverlay): Targeting[] {
  const is = (dimension: string, values: readonly string[] | undefined, operator = 'IS'): Targeting[] =>
    values === undefined ? [] : [{ test: { dimension, operator, values } }];
  const { device_type: devices, device_type_exclude: excluded, device_platform: platforms } = overlay;
  return [
    ...is('COUNTRY', overlay.geo_countries),
    ...is('COUNTRY', overlay.geo_countries_exclude, 'IS_NOT'),
    ...regionTests(overlay.geo_regions, (countries) => ({ any: countries })),
    ...excludedRegions(overlay.geo_regions_exclude),
    ...is(
      'DEVICE_TYPE',
      devices?.map((one) => DEVICES[one]),
    ),
    ...is(
      'DEVICE_TYPE',
      excluded?.map((one) => DEVICES[one]),
      'IS_NOT',
    ),
    ...is(
      'OS',
      platforms?.flatMap((one) => PLATFORMS[one]),
    ),
    ...is('BROWSER_LANGUAGE', overlay.language),
    ...is('DAY_PART', overlay.daypart_targets?.flatMap(dayPartTexts)),
  ];
}

/** A part of the week as targeting writes it, such as `1 08:00-18:00`, for each of its days. */
function dayPartTexts({ days, start_hour: start, end_hour: end }: DayPart): string[] {
  const hour = (one: number) => `${String(one).padStart(2, '0')}:00`;
  return days.map((day) => `${DAYS.indexOf(day) + 1} ${hour(start)}-${hour(end)}`);
}

/** Regions by country: the code of a region means something only within its country. */
function byCountry(regions: readonly string[]): Map<string, string[]> {
  return regions.reduce((groups, region) => {
    const [country = '', code = ''] = region.split('-');
    return groups.set(country, [...(groups.get(country) ?? []), code]);
  }, new Map<string, string[]>());
}

function regionTests(
  regions: readonly string[] | undefined,
  join: (countries: readonly Targeting[]) => Targeting,
): Targeting[] {
  if (regions === undefined) return [];
  const countries = [...byCountry(regions)].map(
    ([country, values]): Targeting => ({
      all: [{ test: { dimension: 'COUNTRY', values: [country] } }, { test: { dimension: 'REGION', values } }],
    }),
  );
  return [join(countries)];
}

/** Another country, or another region of it. */
function excludedRegions(regions: readonly string[] | undefined): Targeting[] {
  if (regions === undefined) return [];
  return [...byCountry(regions)].map(([country, values]) => ({
    any: [
      { test: { dimension: 'COUNTRY', operator: 'IS_NOT', values: [country] } },
      { test: { dimension: 'REGION', operator: 'IS_NOT', values } },
    ],
  }));
}

function capsOf(cap: TargetingOverlay['frequency_cap']): OverlayParts['frequencyCaps'] {
  if (cap === undefined) return [];
  const per = PER[cap.per ?? 'individuals'];
  const suppress = cap.suppress ?? (cap.suppress_minutes === undefined ? null : minutes(cap.suppress_minutes));
  return [
    ...(suppress === null ? [] : [{ count: 1, every: suppress.interval, window: WINDOWS[suppress.unit], per }]),
    ...(cap.max_impressions === undefined || cap.window === undefined
      ? []
      : [{ count: cap.max_impressions, every: cap.window.interval, window: WINDOWS[cap.window.unit], per }]),
  ];
}

function minutes(interval: number): z.infer<typeof Duration> {
  return { interval, unit: 'minutes' };
}
