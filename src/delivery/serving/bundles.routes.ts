import { PlacardError } from '../../domain/errors.ts';
import type { HttpReply, HttpRequest, Route } from '../../http/shared/route.ts';
import type { AssetStore } from '../../storage/assets.ts';
import { BundleRefused } from '../../storage/bundles/open-bundle.ts';
import { prepareBundle, type ServedBundle } from '../../storage/bundles/served-bundle.ts';

/** The most unpacked bundles that a worker holds, in bytes. */
const HELD_BYTES_MAX = 64 * 1024 * 1024;

/**
 * The sandbox gives the page an origin of its own, also when somebody opens its address directly: it reaches neither cookies nor storage of
 * this server. Files are named by the hash of their bundle, so that a browser may cache them for ever.
 */
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy':
    "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox; base-uri 'none'; form-action 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** `GET /html5/<hash>/<path>`: the files of HTML5 bundles; without a path, the page that is shown. */
export function bundleRoutes(assets: AssetStore): Route[] {
  const held = new HeldBundles(assets);
  return [
    {
      method: 'GET',
      pattern: '/html5/:hash/*path',
      name: 'html5',
      contentTypes: null,
      handler: async (request: HttpRequest): Promise<HttpReply> => {
        const bundle = await held.find(request.params['hash'] ?? '');
        const path = decodePath(request.params['path'] ?? '');
        if (bundle === null || path === null) throw missing();
        if (path === '') return respondWithEntry(bundle, request.query);
        const file = bundle.files.get(path);
        if (file === undefined) throw missing();
        return { status: 200, headers: { ...HEADERS, 'content-type': file.contentType }, body: file.bytes };
      },
    },
  ];
}

const missing = (): PlacardError => new PlacardError('not_found', 'There is no such file in a bundle.');

/** A page in a folder is shown under its own path, so that its relative addresses hold. */
function respondWithEntry(bundle: ServedBundle, query: string): HttpReply {
  const file = bundle.files.get(bundle.entry);
  if (bundle.entry.includes('/')) {
    const path = bundle.entry.split('/').map(encodeURIComponent).join('/');
    return { status: 302, headers: { ...HEADERS, location: query === '' ? path : `${path}?${query}` } };
  }
  if (file === undefined) throw missing();
  return { status: 200, headers: { ...HEADERS, 'content-type': file.contentType }, body: file.bytes };
}

function decodePath(raw: string): string | null {
  try {
    return decodeURIComponent(raw);
  } catch {
    return null;
  }
}

/** The bundles that were requested last, unpacked; the oldest ones go first. */
class HeldBundles {
  readonly #assets: AssetStore;
  readonly #held = new Map<string, Promise<ServedBundle | null>>();
  readonly #sizes = new Map<string, number>();
  #bytes = 0;

  constructor(assets: AssetStore) {
    this.#assets = assets;
  }

  /** Null for a hash without a bundle. */
  find(hash: string): Promise<ServedBundle | null> {
    if (!/^[0-9a-f]{64}$/.test(hash)) return Promise.resolve(null);
    const known = this.#held.get(hash);
    if (known !== undefined) {
      this.#held.delete(hash);
      this.#held.set(hash, known);
      return known;
    }
    const opening = this.#open(hash).then(
      (bundle) => {
        if (bundle === null) this.#held.delete(hash);
        else this.#hold(hash, bundle.bytes);
        return bundle;
      },
      (error: unknown) => {
        this.#held.delete(hash);
        throw error;
      },
    );
    this.#held.set(hash, opening);
    return opening;
  }

  async #open(hash: string): Promise<ServedBundle | null> {
    const found = await this.#assets.get(`${hash}.zip`);
    if (found === null) return null;
    try {
      return await prepareBundle(found.bytes);
    } catch (error) {
      if (error instanceof BundleRefused) return null;
      throw error;
    }
  }

  #hold(hash: string, bytes: number): void {
    this.#sizes.set(hash, bytes);
    this.#bytes += bytes;
    for (const oldest of this.#sizes.keys()) {
      if (this.#bytes <= HELD_BYTES_MAX || oldest === hash) break;
      this.#bytes -= this.#sizes.get(oldest) ?? 0;
      this.#sizes.delete(oldest);
      this.#held.delete(oldest);
    }
  }
}
