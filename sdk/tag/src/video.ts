import type { Bid } from './bid.ts';
import { reportViewable, type Stage } from './stage.ts';
import { fire, type Stop, whenSeen } from './watch.ts';

/** A video counts as seen after two seconds of playing in view (MRC). */
const VIEW_MS = 2_000;
/** Error codes of VAST: no media file is found; none can be played. */
const NO_FILE = 401;
const UNPLAYABLE = 405;
const QUARTILES = ['firstQuartile', 'midpoint', 'thirdQuartile'];

/** How long the ad server may take to follow the tag of a third party. */
const UNWRAP_MS = 5_000;

/**
 * Hands the VAST document to the page's own player: the event `placard:video` carries it, and a page that plays it calls
 * `preventDefault()`. Otherwise it is played here: muted, with controls, once it is seen, with all its events tracked. The tag of a third party is
 * followed by the ad server, so that the document has an ad. Rejects when there is none; the ad server has reported that.
 */
export async function drawVideo(stage: Stage, bid: Bid): Promise<Stop> {
  const vast = bid.adm.includes('<VASTAdTagURI>') ? await unwrap(bid) : bid.adm;
  const viewable = (): void => reportViewable(stage, bid);
  return stage.tell('video', { vast, viewable }) ? play(stage, bid, vast) : () => {};
}

async function unwrap({ ext, privacy }: Bid): Promise<string> {
  const address = `${ext.ems_link.replace('/imp/', '/vast/')}?${privacy}`;
  const response = await fetch(address, { signal: AbortSignal.timeout(UNWRAP_MS) });
  const vast = await response.text();
  if (!vast.includes('<InLine>'))
    throw new Error(`placard: the tag has no ad: ${/error \d+/.exec(vast)?.[0] ?? response.status}`);
  return vast;
}

function play(stage: Stage, bid: Bid, text: string): Stop {
  const { element } = stage;
  const vast = new DOMParser().parseFromString(text, 'text/xml');
  const textsOf = (selector: string): string[] =>
    [...vast.querySelectorAll(selector)].map((found) => found.textContent?.trim() ?? '');
  const fail = (code: number, problem: string): Error => {
    fireAll(textsOf('Error'), code);
    return new Error(`placard: ${problem}`);
  };
  if (vast.querySelector('MediaFile') === null) throw fail(NO_FILE, 'the VAST document has no media file');
  const done = new Set<string>();
  const track = (event: string, always = false): void => {
    if (done.has(event) && !always) return;
    done.add(event);
    fireAll(textsOf(event === 'impression' ? 'Impression' : `Tracking[event="${event}"]`));
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
  video.addEventListener(
    'error',
    () => video.networkState === video.NETWORK_NO_SOURCE && stage.fail(fail(UNPLAYABLE, 'no media file can be played')),
    true,
  );
  const more = document.createElement('div');
  more.style.font = '12px sans-serif';
  const click = linkTo(textsOf('ClickThrough')[0], 'Visit the advertiser');
  click.addEventListener('click', () => fireAll(textsOf('ClickTracking')));
  more.append(click, ' · ', linkTo(bid.ext.dsaurl, 'Why this ad?'));
  element.append(video, more);
  video.addEventListener('playing', () => fire(bid.ext.ems_link.replace('/imp/', '/measurable/')), { once: true });
  // A browser that cannot tell of frames shows one once it plays a film that has a size.
  let hasFrame = !('requestVideoFrameCallback' in video);
  if (!hasFrame) video.requestVideoFrameCallback(() => (hasFrame = true));
  const own = bid.ext.ems_link.replace('/imp/', '/view/');
  const stopSeen = whenSeen(
    video,
    VIEW_MS,
    () => {
      reportViewable(stage, bid);
      fireAll(textsOf('Viewable').filter((url) => url !== own));
    },
    () => hasFrame && !video.paused && video.readyState > 2 && video.videoWidth > 0,
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

/** Fills the macros that a player knows. */
function fireAll(urls: readonly string[], code = 900): void {
  const values: Record<string, string> = {
    ERRORCODE: `${code}`,
    CACHEBUSTING: `${Math.random()}`.slice(2, 10),
    TIMESTAMP: encodeURIComponent(new Date().toISOString()),
  };
  for (const url of urls) fire(url.replace(/\[(\w+)\]/g, (macro, name: string) => values[name] ?? macro));
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
