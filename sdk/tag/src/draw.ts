import type { Bid } from './bid.ts';
import { reportViewable, type Stage } from './stage.ts';
import { drawVideo } from './video.ts';
import { fire, type Stop, whenSeen } from './watch.ts';

const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation';
const VIEW_MS = 1_000;

/** Draws a bid into its empty element; returns the function that stops watching it. */
export function draw(stage: Stage, bid: Bid): Stop | Promise<Stop> {
  if (bid.mtype === 2) return drawVideo(stage, bid);
  const drawn = bid.mtype === 4 ? drawNative(stage, bid) : drawBanner(stage, bid);
  fire(bid.ext.ems_link.replace('/imp/', '/measurable/'));
  const isDrawn = (): boolean => !(drawn instanceof HTMLIFrameElement) || drawn.onload === null;
  return whenSeen(drawn, VIEW_MS, () => reportViewable(stage, bid), isDrawn);
}

/**
 * A banner runs in a frame of an origin of its own, under the ad server's policy: it reaches nothing of the page, and the page's own policy
 * needs to allow the ad server only.
 */
function drawBanner({ element, frameUrl }: Stage, bid: Bid): HTMLElement {
  const frame = sandboxed(frameUrl, bid.w, bid.h);
  frame.onload = () => {
    frame.onload = null;
    frame.contentWindow?.postMessage({ placard: bid.adm }, '*');
  };
  element.append(frame);
  return frame;
}

/** A frame that reaches nothing of the page. */
export function sandboxed(url: string, width: unknown, height: unknown): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = 'Advertisement';
  frame.width = String(width);
  frame.height = String(height);
  frame.setAttribute('sandbox', SANDBOX);
  frame.setAttribute('scrolling', 'no');
  frame.style.cssText = 'border:0;display:block;margin:auto;max-width:100%';
  frame.src = url;
  return frame;
}

interface NativeAd {
  readonly fields: Readonly<Record<string, string | undefined>>;
  readonly meta: Readonly<Record<string, string | undefined>>;
}

/** A native ad gets the page's own look: the `<template>` inside the element, or a plain one. Texts are never parsed as HTML. */
function drawNative({ element, tell }: Stage, bid: Bid): HTMLElement {
  const { fields, meta } = JSON.parse(bid.adm) as NativeAd;
  const texts: Readonly<Record<string, string | undefined>> = {
    title: fields.title,
    body: fields.leadtext,
    cta: fields.Calltoaction,
    sponsor: meta.advertiser_name,
  };
  const template = element.querySelector('template');
  const root = document.createElement('div');
  root.append(template ? template.content.cloneNode(true) : plainNative());
  for (const part of root.querySelectorAll<HTMLElement>('[data-ad]')) {
    const name = part.dataset.ad ?? '';
    const link = name === 'why' ? meta.dsaurl : (meta.adclick ?? '') + (fields.url ?? '');
    if (part instanceof HTMLAnchorElement) {
      part.href = webAddress(link);
      part.target = '_blank';
      part.rel = 'noopener sponsored';
    }
    if (part instanceof HTMLImageElement) part.src = webAddress(name === 'icon' ? fields.partner_logo : fields.image);
    else if (name in texts) part.textContent = texts[name] ?? '';
  }
  element.append(root);
  root.addEventListener('click', () => {
    fire(fields.Thirdpartyclicktracker);
    fire(fields.thirdPartyClickTracker2);
  });
  [bid.ext.ems_link, fields.Thirdpartyimpressiontracker, fields.Thirdpartyimpressiontracker2].forEach(fire);
  tell('native', { fields, meta });
  return root;
}

function plainNative(): HTMLElement {
  const link = node('a', 'link');
  const image = node('img', 'image') as HTMLImageElement;
  image.alt = '';
  image.style.cssText = 'display:block;width:100%;height:auto;max-height:12em;object-fit:cover';
  const title = node('strong', 'title');
  const body = node('span', 'body');
  for (const text of [title, body]) text.style.display = 'block';
  link.append(image, node('small', 'sponsor'), title, body, node('b', 'cta'));
  const why = node('a', 'why');
  why.textContent = 'Why this ad?';
  why.style.font = '10px sans-serif';
  const whole = document.createElement('div');
  whole.append(link, why);
  return whole;
}

function node(tag: string, name: string): HTMLElement {
  const made = document.createElement(tag);
  made.dataset.ad = name;
  return made;
}

function webAddress(text: string | undefined): string {
  return text && /^https?:\/\//.test(text) ? text : 'about:blank';
}
