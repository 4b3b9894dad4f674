import { isDeepStrictEqual } from 'node:util';
import { type AssetFacts, type ContentFile, filesOf } from '../../../domain/booking/asset-facts.ts';
import type { CreativeContent } from '../../../domain/booking/creative.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import type { ProblemCode } from '../../../domain/problem-codes.ts';
import type { Columns, StoredRow } from '../../kernel/field.ts';
import type { Findings, RuleFacts } from '../../kernel/resource.ts';
import type { ContentFacts } from './creative-facts.sql.ts';

/** A picture with fewer pixels than this share of the space on a side is refused: nobody can read it. */
const SCALE_MIN = 0.5;
/** How far the proportions of a picture may be from those of its space before it looks stretched. */
const RATIO_TOLERANCE = 0.05;
const DURATION_TOLERANCE_MS = 1_000;

/** The content with what is known of its HTML5 bundle; nothing where there is none. */
export function deriveBundle(row: StoredRow, { loaded }: RuleFacts): Columns {
  const content = row['content'] as CreativeContent;
  if (content.format !== 'HTML' || content.bundle === undefined) return {};
  const { zipUrl } = content.bundle;
  const found = (loaded as Partial<ContentFacts>).files?.get(zipUrl)?.bundle;
  if (found === undefined || found === null) return {};
  const bundle = { zipUrl, entry: found.entry, clickTag: found.clickTag, scan: found.scan };
  if (isDeepStrictEqual(content.bundle, bundle)) return {};
  return { content: { ...content, bundle }, secure: found.scan.insecureUrls.length === 0 };
}

/** Refuses files that are missing, of another type, or far too small; warns of those that do not fit well. Looks at new contents only. */
export function validateFiles(row: StoredRow, { before, loaded }: RuleFacts): Findings {
  const { files } = loaded as Partial<ContentFacts>;
  const size = row as StoredRow & { readonly width: number; readonly height: number };
  const seen = ['content', 'width', 'height'];
  const isNew = before === null || seen.some((column) => !isDeepStrictEqual(row[column], before[column]));
  if (files === undefined || !isNew) return { problems: [], warnings: [] };
  const hosted = filesOf(row['content'] as CreativeContent, size).filter(({ url }) => url.startsWith('/assets/'));
  return {
    problems: hosted.flatMap((file) => problemsOf(file, files)),
    warnings: hosted.flatMap((file) => warningsOf(file, files.get(file.url) ?? null)),
  };
}

function problemsOf(file: ContentFile, files: ReadonlyMap<string, AssetFacts | null>): FieldProblem[] {
  const problem = (code: ProblemCode, message: string): FieldProblem[] => [
    { path: `content.${file.path}`, code, message },
  ];
  const facts = files.get(file.url);
  if (facts === undefined)
    return problem('missing_file', 'There is no such file: upload it to /assets, and give the url of the response.');
  if (facts === null) return [];
  if (!facts.contentType.startsWith(file.type))
    return problem(
      'wrong_type',
      `The file is ${facts.contentType}; give one of the type ${file.type.replace(/\/$/, '/…')}.`,
    );
  const { width, height } = facts;
  const isSmall = (side: number | null, space: number): boolean => side !== null && side < space * SCALE_MIN;
  if (file.type !== 'image/' || (!isSmall(width, file.width) && !isSmall(height, file.height))) return [];
  return problem(
    'too_small',
    `The picture has ${width} × ${height} pixels and is shown in ${file.width} × ${file.height}: give a larger one.`,
  );
}

function warningsOf(file: ContentFile, facts: AssetFacts | null): FieldProblem[] {
  if (facts === null) return [];
  const warning = (code: ProblemCode, message: string): FieldProblem => ({
    path: `content.${file.path}`,
    code,
    message,
  });
  const warnings: FieldProblem[] = [];
  const { width, height, durationMs } = facts;
  if (width !== null && height !== null && file.width > 0 && file.height > 0) {
    const stretch = (width * file.height) / (height * file.width);
    if (Math.abs(stretch - 1) > RATIO_TOLERANCE) {
      const message = `The file has ${width} × ${height} pixels, which does not fit ${file.width} × ${file.height}.`;
      warnings.push(warning('other_proportions', message));
    }
  }
  if (
    durationMs !== null &&
    file.durationMs !== null &&
    Math.abs(durationMs - file.durationMs) > DURATION_TOLERANCE_MS
  ) {
    const message = `The video takes ${durationMs} ms, and the creative says ${file.durationMs} ms.`;
    warnings.push(warning('other_duration', message));
  }
  return warnings;
}
