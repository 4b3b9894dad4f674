import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { connect } from 'node:tls';
import fc from 'fast-check';
import type { FuzzBody } from './bid-grammar.ts';

/** A request as it goes out. */
export interface FuzzRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer | null;
  /** Sent by hand on a connection of its own: its framing is wrong, or chunked. */
  readonly isBroken: boolean;
  readonly body: unknown;
  /** Whole, valid and well packed: no 4xx may come back. */
  readonly isValid: boolean;
}

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const NETWORK_PATHS = ['/1000/bid', '/staging/1000/bid'];
const BOMB = gzipSync(Buffer.alloc(12 * 1024 * 1024, 0x20));

interface Packing {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pack: (plain: Buffer) => Buffer;
  /** Whether a valid body stays one. */
  readonly isSound: boolean;
}

const same = (plain: Buffer): Buffer => plain;
const sound = (name: string, headers: Record<string, string>, pack = same): Packing => ({
  name,
  headers,
  pack,
  isSound: true,
});
const spoilt = (name: string, headers: Record<string, string>, pack: (plain: Buffer) => Buffer): Packing => ({
  name,
  headers,
  pack,
  isSound: false,
});
const gzip = { 'content-encoding': 'gzip' };

/** How a body is encoded and declared. */
const PACKINGS: readonly Packing[] = [
  sound('json', { 'content-type': 'application/json' }),
  sound('text', { 'content-type': 'text/plain' }),
  sound('text with charset', { 'content-type': 'Text/Plain; charset=UTF-8' }),
  sound('no type', {}),
  sound('gzip', gzip, gzipSync),
  sound('x-gzip', { 'content-encoding': 'X-GZIP' }, gzipSync),
  sound('deflate', { 'content-encoding': 'deflate' }, deflateSync),
  sound('raw deflate', { 'content-encoding': 'deflate' }, deflateRawSync),
  sound('br', { 'content-encoding': 'br' }, brotliCompressSync),
  sound('with a byte order mark', {}, (plain) => Buffer.concat([Buffer.from('\ufeff'), plain])),
  spoilt('cut gzip', gzip, (plain) => gzipSync(plain).subarray(0, -9)),
  spoilt('gzip that is none', gzip, same),
  spoilt('gzip twice', gzip, (plain) => gzipSync(gzipSync(plain))),
  spoilt('gzip with a tail', gzip, (plain) => Buffer.concat([gzipSync(plain), plain])),
  spoilt('gzip with a wrong checksum', gzip, (plain) => {
    const packed = gzipSync(plain);
    packed.writeUInt32LE(7, packed.length - 8);
    return packed;
  }),
  spoilt('a gzip bomb', gzip, () => BOMB),
  spoilt('an unknown encoding', { 'content-encoding': 'zstd, gzip' }, same),
  spoilt('another type', { 'content-type': 'application/xml' }, same),
  spoilt('a nonsense type', { 'content-type': ';;=,' }, same),
  spoilt('no bytes', {}, () => Buffer.alloc(0)),
  spoilt('cut JSON', {}, (plain) => plain.subarray(0, plain.length >> 1)),
  spoilt('bytes that are not UTF-8', {}, (plain) => Buffer.concat([plain, Buffer.from([0xc3, 0x28])])),
  spoilt('brackets without end', {}, () => Buffer.from('['.repeat(100_000))),
  spoilt('two documents', {}, (plain) => Buffer.concat([plain, plain])),
  spoilt('over a mebibyte', {}, (plain) => Buffer.concat([plain, Buffer.alloc(1024 * 1024, 0x20)])),
];

const oddHeaders = fc.record(
  {
    'x-openrtb-version': fc.constantFrom('2.6', '2.5', 'x'.repeat(40), '%0d%0a'),
    'accept-encoding': fc.constantFrom('gzip', 'deflate', 'br;q=0', '*', 'gzip;q=zz', ''),
    accept: fc.constantFrom('text/html', '*/*;q=0'),
    origin: fc.constantFrom('https://www.publisher.example', 'null', 'x'),
    'user-agent': fc.constantFrom('', BROWSER, '('.repeat(2_000), 'Googlebot/2.1'),
    'sec-ch-ua-platform': fc.constantFrom('"Windows"', '"', 'x'.repeat(500)),
    'sec-ch-ua-mobile': fc.constantFrom('?1', '?9'),
    'x-forwarded-for': fc.constantFrom('1.2.3.4', 'x, y, ::1', ','),
    'x-request-id': fc.constantFrom('abc', 'x'.repeat(500)),
    cookie: fc.constantFrom('a=b', '=;=;', 'placard_uid=%zz', '__Host-placard_uid=<script>'),
    'accept-language': fc.constantFrom('pl', ';q=', 'x'.repeat(500)),
    'sec-gpc': fc.constantFrom('1', 'x'),
  },
  { requiredKeys: [], noNullPrototype: true },
);

type Way = 'post' | 'get' | 'get base64url' | 'get cut' | 'too long' | 'too short' | 'chunked';

/** Sends bodies in every way that is allowed, and in many that are not. */
export function fuzzRequests(bodies: fc.Arbitrary<FuzzBody>): fc.Arbitrary<FuzzRequest> {
  const way = fc.oneof(
    { weight: 40, arbitrary: fc.constant<Way>('post') },
    { weight: 4, arbitrary: fc.constantFrom<Way>('get', 'get base64url') },
    { weight: 1, arbitrary: fc.constantFrom<Way>('get cut', 'too long', 'too short', 'chunked') },
  );
  const packing = fc.oneof(
    { weight: 5, arbitrary: fc.constant(PACKINGS[0] as Packing) },
    { weight: 1, arbitrary: fc.constantFrom(...PACKINGS) },
  );
  const headers = fc.oneof(
    { weight: 3, arbitrary: fc.constant({ 'user-agent': BROWSER } as Record<string, string>) },
    { weight: 1, arbitrary: oddHeaders as fc.Arbitrary<Record<string, string>> },
  );
  const path = fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...NETWORK_PATHS) },
    { weight: 1, arbitrary: fc.constantFrom('/999999/bid', '/x/bid', '/%zz/bid', '/1000/bid?data=', '/1000/bid?x=%') },
  );
  return fc.tuple(bodies, way, packing, headers, path).map((drawn) => {
    const request = toRequest(drawn);
    // A failure prints this: the body as a text.
    return Object.defineProperty(request, fc.toStringMethod, { value: () => showRequest(request), enumerable: false });
  });
}

/** A request as a failure shows it, cut to a readable length. */
export function showRequest({ method, path, headers, body }: FuzzRequest): string {
  return `${method} ${path.slice(0, 200)} ${JSON.stringify(headers)} ${JSON.stringify(body)
    ?.replace(/(x|é){40,}/g, '$1…')
    .slice(0, 3_000)}`;
}

const HEADER_CHARS_MAX = 30_000;

function toRequest([body, way, packing, headers, path]: [
  FuzzBody,
  Way,
  Packing,
  Record<string, string>,
  string,
]): FuzzRequest {
  const text = JSON.stringify(body.body) ?? 'null';
  // The checks see the sent form: holes in arrays were sent as null.
  const common = { body: JSON.parse(text) as unknown, path, headers, isBroken: false };
  if (way.startsWith('get')) {
    const data = way === 'get base64url' ? Buffer.from(text).toString('base64url') : encodeURIComponent(text);
    const cut = way === 'get cut' ? data.slice(0, data.length >> 1) : data;
    // Node ends requests whose line and headers are over 32 KiB with a 431.
    if (cut.length + JSON.stringify(headers).length < HEADER_CHARS_MAX) {
      const isValid = body.isValid && way !== 'get cut' && NETWORK_PATHS.includes(path);
      return { ...common, method: 'GET', path: `${path.replace(/\?.*/, '')}?data=${cut}`, bytes: null, isValid };
    }
  }
  const bytes = packing.pack(Buffer.from(text));
  const declared = { ...headers, ...packing.headers };
  const isValid = body.isValid && packing.isSound && bytes.length <= 1024 * 1024 && NETWORK_PATHS.includes(path);
  const post = { ...common, method: 'POST', bytes } as const;
  if (way === 'too long') return broken(post, { ...declared, 'content-length': String(bytes.length + 10) });
  if (way === 'too short') return broken(post, { ...declared, 'content-length': String(bytes.length >> 1) });
  if (way === 'chunked')
    return broken({ ...post, bytes: chunk(bytes) }, { ...declared, 'transfer-encoding': 'chunked' });
  return { ...post, headers: { ...declared, 'content-length': String(bytes.length) }, isValid };
}

/** In two chunks, framed by hand. */
function chunk(bytes: Buffer): Buffer {
  const half = bytes.length >> 1;
  const framed = [bytes.subarray(0, half), bytes.subarray(half)]
    .filter((part) => part.length > 0)
    .flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);
  return Buffer.concat([...framed, Buffer.from('0\r\n\r\n')]);
}

function broken(
  request: Omit<FuzzRequest, 'isValid' | 'isBroken'>,
  headers: Readonly<Record<string, string>>,
): FuzzRequest {
  return { ...request, headers, isBroken: true, isValid: false };
}

/**
 * Sends a request whose length is wrong, then closes this half of the connection; returns the statuses that came back until the
 * server closed the other half. @throws Error when it did not within `waitMs`
 */
export function sendBroken(deliveryUrl: string, ca: string, request: FuzzRequest, waitMs: number): Promise<number[]> {
  const { port, hostname, host } = new URL(deliveryUrl);
  const lines = Object.entries({ host, ...request.headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${request.method} ${request.path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect({ port: Number(port), host: hostname, ca });
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the connection was still open after ${waitMs} ms`));
    }, waitMs);
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    // A reset is one way to end it.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      const text = Buffer.concat(received).toString('latin1');
      resolve([...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)));
    });
    socket.end(Buffer.concat([Buffer.from(head), request.bytes ?? Buffer.alloc(0)]));
  });
}
