import type { CreativeContent } from '../../domain/creative.ts';
import type { FieldProblem } from '../../domain/errors.ts';
import { judgeFlight } from '../campaign/campaign.rules.ts';
import type { StoredRow } from '../noun/field.ts';
import type { Judgement, RuleFacts } from '../noun/noun.ts';
import { isSecureContent } from './creative-content.ts';

/** Sizes must fit the format; a size that no ad unit takes, and addresses without https, are warnings. */
export function judgeCreative(row: StoredRow, facts: RuleFacts): Judgement {
  const content = row['content'] as CreativeContent;
  return {
    problems: [...judgeFlight(row), ...judgeSize(row, content)],
    warnings: [...warnOfSize(row, facts), ...warnOfInsecure(content)],
  };
}

function judgeSize(row: StoredRow, content: CreativeContent): FieldProblem[] {
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

function warnOfSize(row: StoredRow, facts: RuleFacts): FieldProblem[] {
  if (facts.loaded['sizeOffered'] !== false) return [];
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
