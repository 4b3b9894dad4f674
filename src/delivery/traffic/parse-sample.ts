import { hash, randomBytes } from 'node:crypto';
import { isCut } from './opportunity-sample.olap.ts';
import type { SampleFrame, StreamedSample } from './opportunity-sample.olap.ts';
import type { Opportunity } from '../../domain/requests/opportunity.ts';
import { readOpportunityJson } from './opportunity-json.ts';

const SALT_BYTES = 16;
const USER_DIGITS = 16;

/** One opportunity of the sample. `place` as in the sample; the user has a name that is valid only in this sample. */
export interface SampleEntry {
  readonly atMs: number;
  readonly bucket: number;
  readonly opportunity: Opportunity;
}

/** All opportunities of users whose hash is below `share`, of `met` opportunities in total. */
export interface TrafficSample {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly met: number;
  readonly share: number;
  /** In any order. */
  readonly entries: readonly SampleEntry[];
}

/** The sample of a frame from its rows as NDJSON. Users get names that are valid only in the sample. @throws SyntaxError */
export function parseSample(frame: SampleFrame, ndjson: Uint8Array): TrafficSample {
  const salt = randomBytes(SALT_BYTES).toString('hex');
  const samples = Buffer.from(ndjson)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as StreamedSample);
  const share = isCut(samples.length) ? (samples.at(-1)?.place ?? frame.share) : frame.share;
  const entries = samples
    .filter(({ place }) => place < share)
    .map(({ at_ms, place: bucket, is_reader, opportunity }) => ({
      atMs: Number(at_ms),
      bucket,
      opportunity: {
        ...(readOpportunityJson(opportunity) as Opportunity),
        userHash: is_reader === 0 ? '' : hash('sha256', `${salt}/${bucket}`).slice(0, USER_DIGITS),
      },
    }));
  const { fromMs, untilMs, met } = frame;
  return { fromMs, untilMs, met, share, entries };
}
