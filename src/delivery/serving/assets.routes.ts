import { PlacardError } from '../../domain/errors.ts';
import type { HttpReply, HttpRequest, Route } from '../../http/shared/route.ts';
import type { AssetStore } from '../../storage/assets.ts';

/** Assets are named by their content, so a browser may cache them for ever. SVG and HTML cannot run scripts or load anything. */
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data: 'self'; font-src data:; media-src 'self'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'accept-ranges': 'bytes',
} as const;

/** `GET /assets/<name>`: pictures and videos of creatives, with byte ranges (one range a request) for players. */
export function assetRoutes(assets: AssetStore): Route[] {
  return [
    {
      method: 'GET',
      pattern: '/assets/:name',
      name: 'asset',
      async handler(request: HttpRequest): Promise<HttpReply> {
        const found = await assets.get(request.params.name ?? '');
        if (found === null) throw new PlacardError('not_found', 'There is no asset with this name.');
        return respondWithBytes(request.headers.range, found);
      },
    },
  ];
}

function respondWithBytes(rangeHeader: string | undefined, asset: { bytes: Buffer; contentType: string }): HttpReply {
  const headers = { ...HEADERS, 'content-type': asset.contentType };
  const size = asset.bytes.length;
  const range = rangeHeader === undefined ? null : parseRange(rangeHeader, size);
  if (range === null) return { status: 200, headers, body: asset.bytes };
  if (range === 'unsatisfiable') {
    throw new PlacardError('range_not_satisfiable', `The file has ${size} bytes.`, { details: { size } });
  }
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${range.start}-${range.end}/${size}` },
    body: asset.bytes.subarray(range.start, range.end + 1),
  };
}

/** One `bytes=a-b`, `a-` or `-n` range, ends inclusive; null when the header has to be ignored (RFC 9110, 14.2). */
function parseRange(header: string, size: number): { start: number; end: number } | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim());
  if (match === null || (match[1] === '' && match[2] === '')) return null;
  const [, first = '', last = ''] = match;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start >= size) return 'unsatisfiable';
  return end < start ? null : { start, end };
}
