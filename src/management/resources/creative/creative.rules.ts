import { isDeepStrictEqual } from 'node:util';
import { unknownMacros } from '../../../domain/booking/macros.ts';
import type { CreativeContent, ThirdPartyTrackers } from '../../../domain/booking/creative.ts';
import { formatRow } from '../../../domain/creative-format.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { either } from '../../../domain/text/either.ts';
import type { ProblemCode } from '../../../domain/problem-codes.ts';
import { warnOfScan } from '../../../domain/booking/creative-scan.ts';
import { earningFormats } from '../../../domain/pricing/pricing-models.ts';
import type { PricingModel } from '../../../domain/pricing/pricing-models.ts';
import { validateFlight } from '../campaign/campaign.rules.ts';
import type { Columns, StoredRow } from '../../kernel/field.ts';
import { deriveBundle, validateFiles } from './asset.rules.ts';
import type { Findings, RuleFacts } from '../../kernel/resource.ts';
import { FOLLOWING_FIELDS } from './following-fields.ts';
import { deriveReview, validateReview, warnOfReview } from './review.rules.ts';
import { isSecureContent } from './content-checks.ts';
import { scanOf } from './scan-row.ts';
import type { CreativeFacts } from './creative-facts.sql.ts';

/** The fields of an association that its library creative determines: `secure` and `format` come with the content. */
const FOLLOWING = [{ name: 'name', columns: ['name'] }, ...FOLLOWING_FIELDS].filter(
  ({ name }) => name !== 'secure' && name !== 'format',
);

/**
 * Validates that sizes fit the format and companions fit their masters. Warns of a size that no ad unit takes, of addresses without
 * https, of code that does not work where it is shown, and of companions that are not shown.
 */
export function validateCreative(row: StoredRow, facts: RuleFacts): Findings {
  const content = row['content'] as CreativeContent;
  const files = validateFiles(row, facts);
  const known = facts.loaded as Partial<CreativeFacts>;
  return {
    problems: [
      ...validateFlight(row),
      ...validateSize(row, content),
      ...validateReview(row, facts),
      ...validateFollowing(row, facts.before),
      ...files.problems,
      ...validateCompanion(row, content, known),
      ...validateFormat(content, known),
    ],
    warnings: [
      ...warnOfSize(row, known),
      ...warnOfInsecure(content),
      ...warnOfCode(row, facts),
      ...warnOfMacros(row, content),
      ...warnOfCompanion(known),
      ...warnOfReview(row, facts),
      ...files.warnings,
    ],
  };
}

/** Columns that follow from the review and from uploaded files. */
export function deriveCreative(row: StoredRow, facts: RuleFacts): Columns {
  const bundle = deriveBundle(row, facts);
  return { ...bundle, ...deriveReview({ ...row, ...bundle }, facts) };
}

/** The same for a creative of the library. */
export function validateLibraryCreative(row: StoredRow, facts: RuleFacts): Findings {
  const content = row['content'] as CreativeContent;
  const files = validateFiles(row, facts);
  return {
    problems: [...validateSize(row, content), ...validateReview(row, facts), ...files.problems],
    warnings: [
      ...warnOfSize(row, facts.loaded as Partial<CreativeFacts>),
      ...warnOfInsecure(content),
      ...warnOfCode(row, facts),
      ...warnOfMacros(row, content),
      ...warnOfReview(row, facts),
      ...files.warnings,
    ],
  };
}

/** What an association has of its library creative cannot be changed in one line item alone. */
function validateFollowing(row: StoredRow, before: StoredRow | null): FieldProblem[] {
  if (before === null || row['library_creative_id'] === null) return [];
  const id = row['library_creative_id'] as bigint;
  const message = `It follows the library creative ${id}: change that one, or create a creative of its own for this line item.`;
  return FOLLOWING.filter(({ columns }) =>
    columns.some((column) => !isDeepStrictEqual(row[column], before[column])),
  ).map(({ name }) => ({ path: name, code: 'from_library', message }));
}

function validateCompanion(
  row: StoredRow,
  content: CreativeContent,
  { master }: Partial<CreativeFacts>,
): FieldProblem[] {
  if (!master) return [];
  const problem = (path: string, code: ProblemCode, message: string) => ({ path, code, message });
  if (formatRow(content.format).companionType === 0)
    return [problem('content', 'not_allowed', `A companion is a banner: give IMAGE or HTML, not ${content.format}.`)];
  if (master['line_item_id'] !== row['line_item_id'])
    return [problem('masterCreativeId', 'other_line_item', 'Name a creative of the same line item.')];
  if (master['master_creative_id'] !== null)
    return [problem('masterCreativeId', 'is_companion', 'That creative is a companion itself; name its master.')];
  return [];
}

/** A companion earns by its master's events. */
function validateFormat({ format }: CreativeContent, { master, lineItem }: Partial<CreativeFacts>): FieldProblem[] {
  if (master || !lineItem) return [];
  const model = lineItem['pricing_model'] as PricingModel;
  const earning = earningFormats(model);
  if (earning.includes(format)) return [];
  const message = `Its line item is paid by ${model}, which only creatives of format ${either(earning)} earn; give one, not ${format}.`;
  return [{ path: 'content', code: 'not_allowed', message }];
}

function warnOfCompanion({ master, lineItem }: Partial<CreativeFacts>): FieldProblem[] {
  if (!master || lineItem?.['companion_mode'] !== 'NONE') return [];
  const message = 'The companionMode of its line item is NONE: it will not be shown before you change that.';
  return [{ path: 'masterCreativeId', code: 'companions_unused', message }];
}

function validateSize(row: StoredRow, content: CreativeContent): FieldProblem[] {
  const { width, height } = row as StoredRow & { width: number; height: number };
  if (formatRow(content.format).isSized && (width === 0 || height === 0)) {
    return [
      {
        path: width === 0 ? 'width' : 'height',
        code: 'required',
        message: `A creative of format ${content.format} needs a width and a height.`,
      },
    ];
  }
  if ((width === 0) !== (height === 0)) {
    return [{ path: width === 0 ? 'width' : 'height', code: 'one_of', message: 'Give both sides, or 0 for both.' }];
  }
  return [];
}

function warnOfSize(row: StoredRow, { sizeOffered, master }: Partial<CreativeFacts>): FieldProblem[] {
  // A player may show the companion.
  if (sizeOffered !== false || master) return [];
  const size = `${String(row['width'])}x${String(row['height'])}`;
  return [
    {
      path: 'width',
      code: 'size_not_offered',
      message: `No ad unit of the network takes ${size}: it will not serve there.`,
    },
  ];
}

/** What the code of a new content does that fails where it is shown, or keeps clicks from being counted. Addresses have a warning of their own. */
function warnOfCode(row: StoredRow, facts: RuleFacts): FieldProblem[] {
  if (facts.before !== null && isDeepStrictEqual(row['content'], facts.before['content'])) return [];
  return warnOfScan(scanOf({ ...row, ...deriveBundle(row, facts) })).flatMap(({ code, message }) =>
    code === 'insecure_address' ? [] : [{ path: 'content', code, message }],
  );
}

/** Macros that nothing fills, by the field that holds them: they are sent as they are written. */
function warnOfMacros(row: StoredRow, content: CreativeContent): FieldProblem[] {
  const trackers = (row['trackers'] ?? {}) as Partial<ThirdPartyTrackers>;
  const texts: Readonly<Record<string, readonly string[]>> = {
    content: content.format === 'HTML' ? [content.html] : [JSON.stringify(content)],
    clickUrl: [(row['click_url'] as string | null | undefined) ?? ''],
    trackers: Object.values(trackers).flat(),
  };
  return Object.entries(texts).flatMap(([path, written]) => {
    const [macro, ...others] = unknownMacros(written);
    if (macro === undefined) return [];
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    const message = `The macro ${macro.slice(0, 60)}${more} is not known and is sent as written: see docs/macros.md for the known ones.`;
    return [{ path, code: 'unknown_macro', message }];
  });
}

function warnOfInsecure(content: CreativeContent): FieldProblem[] {
  if (isSecureContent(content)) return [];
  return [
    {
      path: 'content',
      code: 'not_https',
      message: 'An address in it is not https: it will not serve on secure pages.',
    },
  ];
}
