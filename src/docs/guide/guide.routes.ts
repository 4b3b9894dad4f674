import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type AddressedFile, packFile, sendPacked } from '../../http/core/packed-file.ts';
import { writeMissing, writePage, writeResults } from './layout.ts';
import { GUIDE_ADDRESS, type GuidePage, openGuide, readPicture } from './pages.ts';
import type { RenderedText } from './render-text.ts';
import type { GuideIndex } from './search.ts';

const STYLE_PATH = `${GUIDE_ADDRESS}/guide.css`;
const CACHING = 'public, max-age=300';
/** The pages run no script and load nothing from elsewhere. */
export const GUIDE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

let style: Promise<AddressedFile> | null = null;
let index: Promise<GuideIndex> | null = null;
const rendered = new Map<string, RenderedText>();

/** Adds the pages of `docs/` for people: `GET /docs`, one address a page, their pictures, and a search. */
export function registerGuide(app: FastifyInstance): void {
  app.get(GUIDE_ADDRESS, (_request, reply) => sendPage(reply, GUIDE_ADDRESS));
  app.get<{ Params: { '*': string } }>(`${GUIDE_ADDRESS}/*`, (request, reply) =>
    sendPage(reply, `${GUIDE_ADDRESS}/${request.params['*'].replace(/\/$/, '')}`),
  );
  app.get<{ Querystring: { q?: unknown } }>(`${GUIDE_ADDRESS}/search`, async (request, reply) => {
    const { q } = request.query;
    const question = typeof q === 'string' ? q.slice(0, 200) : '';
    const found = question === '' ? [] : (await openIndex()).find(question);
    return sendHtml(reply, writeResults(openGuide(), await styleAddress(), question, found));
  });
  app.get(STYLE_PATH, async (request, reply) => {
    const file = await openStyle();
    return sendPacked(request, reply, file, request.url === file.address);
  });
  app.get<{ Params: { name: string } }>(`${GUIDE_ADDRESS}/images/:name`, async (request, reply) => {
    const picture = readPicture(request.params.name);
    if (picture === null) return sendMissing(reply);
    return reply.header('cache-control', CACHING).type('image/png').send(picture);
  });
}

async function sendPage(reply: FastifyReply, address: string): Promise<FastifyReply> {
  const guide = openGuide();
  const page = guide.byAddress.get(address);
  if (page === undefined) return sendMissing(reply);
  return sendHtml(reply, writePage(guide, await styleAddress(), page, await textOf(page)));
}

async function sendMissing(reply: FastifyReply): Promise<FastifyReply> {
  return sendHtml(reply.code(404), writeMissing(openGuide(), await styleAddress()));
}

function sendHtml(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .headers({ 'content-security-policy': GUIDE_POLICY, 'cache-control': CACHING })
    .type('text/html; charset=utf-8')
    .send(html);
}

/** The rendered form of a page, kept: there are as many as files. The renderer is loaded with the first page, not with the core. */
async function textOf(page: GuidePage): Promise<RenderedText> {
  const { renderText } = await import('./render-text.ts');
  const text = rendered.get(page.file) ?? renderText(page, openGuide());
  rendered.set(page.file, text);
  return text;
}

const styleAddress = async (): Promise<string> => (await openStyle()).address;

function openStyle(): Promise<AddressedFile> {
  style ??= packFile(
    STYLE_PATH,
    'text/css; charset=utf-8',
    readFileSync(new URL('guide.css', import.meta.url), 'utf8'),
  );
  return style;
}

function openIndex(): Promise<GuideIndex> {
  index ??= import('./search.ts').then(({ indexGuide }) => indexGuide(openGuide()));
  return index;
}
