import type { Bid } from './bid.ts';
import { reportViewable, type Stage } from './stage.ts';
import { fire, type Stop, whenSeen } from './watch.ts';

/** A video counts as seen after two seconds of playing in view (MRC). */
const VIEW_MS = 2_000;
/** Error codes of VAST: no media file is found; none can be played. */
const NO_FILE = 401;
const UNPLAYABLE = 405;
const QUARTILES = ['firstQuartile', 'midpoint', 'thirdQuartile'];

/**
 * Hands the VAST document to the page's own player: the event `placard:video` carries it, and a page that plays it calls
 * `preventDefault()`. Otherwise it is played here: muted, with controls, once it is seen, with all its events tracked.
 */
export function drawVideo(stage: Stage, bid: Bid): Stop {
  const { element, tell } = stage;
  if (!tell('video', { vast: bid.adm, viewable: () => reportViewable(stage, bid) })) return () => {};
  const vast = new DOMParser().parseFromString(bid.adm, 'text/xml');
  const textsOf = (selector: string): string[] =>
    [...vast.querySelectorAll(selector)].map((found) => found.textContent?.trim() ?? '');
  const fail = (code: number): void => textsOf('Error').forEach((url) => fire(url.replace('[ERRORCODE]', `${code}`)));
  if (vast.querySelector('MediaFile') === null) {
    fail(NO_FILE);
    throw new Error('placard: the VAST document has no media file');
  }
  const done = new Set<string>();
  const track = (event: string, always = false): void => {
    if (done.has(event) && !always) return;
    done.add(event);
    textsOf(event === 'impression' ? 'Impression' : `Tracking[event="${event}"]`).forEach(fire);
  };
  const video = document.createElement('video');
  Object.assign(video, { muted: true, controls: true, playsInline: true, preload: 'metadata' });
  video.setAttribute('aria-label', 'Video advertisement');
  video.style.cssText = 'display:block;width:100%;aspect-ratio:16/9;background:#000';
  for (const file of vast.querySelectorAll('MediaFile')) {
    const source = document.createElement('source');
    source.src = file.textContent?.trim() ?? '';
    source.type = file.getAttribute('type') ?? '';
    video.append(source);
  }
  listen(video, track);
  video.addEventListener('error', () => video.networkState === video.NETWORK_NO_SOURCE && fail(UNPLAYABLE), true);
  const more = document.createElement('div');
  more.style.font = '12px sans-serif';
  const click = linkTo(textsOf('ClickThrough')[0], 'Visit the advertiser');
  click.addEventListener('click', () => textsOf('ClickTracking').forEach(fire));
  more.append(click, ' · ', linkTo(bid.ext.dsaurl, 'Why this ad?'));
  element.append(video, more);
  video.addEventListener('playing', () => fire(bid.ext.ems_link.replace('/imp/', '/measurable/')), { once: true });
  const stopSeen = whenSeen(
    video,
    VIEW_MS,
    () => reportViewable(stage, bid),
    () => !video.paused && video.readyState > 2 && video.videoWidth > 0,
  );
  const player = new IntersectionObserver(
    (entries) => {
      if (video.ended) return;
      if ((entries.at(-1)?.intersectionRatio ?? 0) >= 0.5) video.play().catch(() => {});
      else video.pause();
    },
    { threshold: 0.5 },
  );
  player.observe(video);
  return () => {
    stopSeen();
    player.disconnect();
    video.pause();
  };
}

function listen(video: HTMLVideoElement, track: (event: string, always?: boolean) => void): void {
  let muted = true;
  let paused = false;
  const on = (name: string, listener: () => void): void => video.addEventListener(name, listener);
  on('playing', () => {
    if (paused) track('resume', true);
    paused = false;
    track('impression');
    track('start');
  });
  on('pause', () => {
    if (video.ended) return;
    paused = true;
    track('pause', true);
  });
  on('timeupdate', () => {
    QUARTILES.forEach((name, index) => {
      if (video.currentTime / video.duration >= (index + 1) / 4) track(name);
    });
  });
  on('ended', () => {
    QUARTILES.forEach((name) => track(name));
    track('complete');
  });
  on('volumechange', () => {
    if (video.muted !== muted) track(video.muted ? 'mute' : 'unmute', true);
    muted = video.muted;
  });
}

function linkTo(url: string | undefined, text: string): HTMLAnchorElement {
  const link = document.createElement('a');
  Object.assign(link, { target: '_blank', rel: 'noopener sponsored', textContent: text });
  if (url && /^https?:/.test(url)) link.href = url;
  return link;
}
