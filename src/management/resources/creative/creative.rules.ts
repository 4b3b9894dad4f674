import type { CreativeContent } from '../../../domain/booking/creative.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { requiredFormat } from '../../../domain/pricing/pricing-models.ts';
import type { PricingModel } from '../../../domain/pricing/pricing-models.ts';
import { validateFlight } from '../campaign/campaign.rules.ts';
import type { StoredRow } from '../../kernel/field.ts';
import type { Findings, RuleFacts } from '../../kernel/resource.ts';
import { isSecureContent } from './creative-content.ts';
import type { CreativeFacts } from './creative-facts.sql.ts';

/**
 * Validates that sizes fit the format and companions fit their masters. Warns of a size that no ad unit takes, of addresses without
 * https, and of companions that are not shown.
 */
export function validateCreative(row: StoredRow, facts: RuleFacts): Findings {
  const content = row['content'] as CreativeContent;
  const known = facts.loaded as Partial<CreativeFacts>;
  return {
    problems: [
      ...validateFlight(row),
      ...validateSize(row, content),
      ...validateCompanion(row, content, known),
      ...validateFormat(content, known),
    ],
    warnings: [...warnOfSize(row, known), ...warnOfInsecure(content), ...warnOfCompanion(known)],
  };
}

function validateCompanion(
  row: StoredRow,
  content: CreativeContent,
  { master }: Partial<CreativeFacts>,
): FieldProblem[] {
  if (!master) return [];
  const problem = (path: string, code: string, message: string) => ({ path, code, message });
  if (content.format !== 'IMAGE' && content.format !== 'HTML')
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
  const required = requiredFormat(model);
  if (required === null || required === format) return [];
  const message = `Its line item is paid by ${model}, which only creatives of format ${required} earn; give one, not ${format}.`;
  return [{ path: 'content', code: 'not_allowed', message }];
}

function warnOfCompanion({ master, lineItem }: Partial<CreativeFacts>): FieldProblem[] {
  if (!master || lineItem?.['companion_mode'] !== 'NONE') return [];
  const message = 'The companionMode of its line item is NONE: it will not be shown before you change that.';
  return [{ path: 'masterCreativeId', code: 'companions_unused', message }];
}

function validateSize(row: StoredRow, content: CreativeContent): FieldProblem[] {
  const { width, height } = row as StoredRow & { width: number; height: number };
  const sized = content.format === 'IMAGE' || content.format === 'HTML';
  if (sized && (width === 0 || height === 0)) {
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
