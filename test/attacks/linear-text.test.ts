import { expect, test } from 'vitest';
import { scanCode } from '../../src/domain/booking/creative-scan.ts';
import { isSecureContent } from '../../src/management/resources/creative/content-checks.ts';
import { readFacts } from '../../src/management/resources/upload/read-facts.ts';
import { sniffFile } from '../../src/management/resources/upload/sniff-file.ts';
import { readByteRange } from '../../src/reports/legacy/byte-range.ts';
import { parseRelativeRange } from '../../src/reports/query/date-range.ts';
import { readArray } from '../../src/sql-endpoint/translate/arrays.ts';
import { readInterval } from '../../src/sql-endpoint/translate/intervals.ts';
import { makeZip } from '../../src/storage/bundles/fixtures/make-zip.ts';
import { prepareBundle } from '../../src/storage/bundles/served-bundle.ts';

/** Where the work grows with the square of the length, a megabyte takes minutes or hours. */
const LENGTH = 1_000_000;
const TIMEOUT_MS = 60_000;

const zipOf = (page: string): Buffer => makeZip([{ path: 'index.html', content: `${page}\nclickTag` }]);
const serve = (page: string): Promise<unknown> => prepareBundle(zipOf(page));
const upload = (page: string): Promise<unknown> =>
  readFacts(zipOf(page), { extension: 'zip', width: null, height: null });
const checkMarkup = (html: string): unknown => isSecureContent({ format: 'HTML', html });
const queryDates = (text: string): unknown => parseRelativeRange(text, { nowMs: 0, timezone: 'UTC' });

/** What reads the text; how the text begins, what it repeats, and how it ends. */
type Row = readonly [name: string, read: (text: string) => unknown, start: string, repeated: string, end: string];

test.each<Row>([
  ['heads of a bundle', serve, '', '<head ', ''],
  ['heads of a bundle that end', serve, '<html><!--', '<head>', ''],
  ['roots of a bundle', serve, '', '<html ', ''],
  ['doctypes of a bundle', serve, '', '<!doctype ', ''],
  ['comments of a bundle', serve, '', '<!--', ''],
  ['signs of a bundle', serve, '', '<', ''],
  ['click tags of a bundle', serve, '', 'clickTag="https:', ''],
  ['click tags of a bundle before white space', serve, 'clickTag', ' ', ''],
  ['quotes of a bundle', serve, '', `clickTag="%%'`, ''],
  ['tags of an uploaded bundle', upload, '', '<meta ', ''],
  ['names in tags of an uploaded bundle', upload, '', '<meta name=', ''],
  ['names of one tag of an uploaded bundle', upload, '<meta ', 'name=ad.size', ''],
  ['addresses of code', scanCode, '', '//a.', ''],
  ['slashes of code', scanCode, '', 'https://', ''],
  ['words of code', scanCode, 'document', ' ', ''],
  ['sources of markup', checkMarkup, 'src=', ' ', ''],
  ['addresses in styles of markup', checkMarkup, 'url(', ' ', ''],
  ['names of sources of markup', checkMarkup, '', 'href ', ''],
  ['white space of an interval', (text) => readInterval(text, undefined), '', ' ', '1'],
  ['white space of an array', (text) => readArray(`{${text}}`), 'a', ' ', '"'],
  ['digits of an interval', (text) => readInterval(text, undefined), '', '1', ''],
  ['a written range of dates', queryDates, 'from ', ' to ', '\n'],
  ['a relative range of dates', queryDates, 'last', ' ', ''],
  ['the range of a download', (text) => readByteRange(text, 10), 'bytes=-', '\t', 'x'],
  ['an SVG picture', (text) => sniffFile(Buffer.from(text)), '<svg ><svg ', '<svg ', ''],
  ['an unclosed SVG picture', (text) => sniffFile(Buffer.from(text)), '<svg a="', `'"`, ''],
])(
  'the work grows with the length of the text only: %s',
  async (_name, read, start, repeated, end) => {
    const text = start + repeated.repeat(LENGTH / repeated.length) + end;
    // Whether it is refused does not matter here.
    const [result] = await Promise.allSettled([Promise.try(() => read(text))]);
    expect(result).toBeDefined();
  },
  TIMEOUT_MS,
);
