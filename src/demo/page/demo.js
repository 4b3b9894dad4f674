/** The demo page's own script: asks for an ad per frame, draws it, fires what must be fired, and shows what was counted. */
const config = await (await fetch('/demo/config.json')).json();
const slots = [...document.querySelectorAll('.slot')];
const status = document.querySelector('#status');
const shown = new Map();
const POLL_MS = 1500;
const POLLS_MAX = 400;

function bidRequest(slot) {
  const sizes = (slot.dataset.sizes ?? '')
    .split(',')
    .filter(Boolean)
    .map((size) => ({ w: Number(size.split('x')[0]), h: Number(size.split('x')[1]) }));
  const fitting = slot.dataset.media === 'banner' ? sizes.filter((size) => size.w <= slot.clientWidth) : sizes;
  const imp = { id: '1', tagid: slot.dataset.adUnit, secure: location.protocol === 'https:' ? 1 : 0 };
  if (slot.dataset.media === 'banner') imp.banner = { format: fitting.length > 0 ? fitting : sizes };
  if (slot.dataset.media === 'native') imp.native = { request: '{}', ver: '1.2' };
  return {
    id: crypto.randomUUID(),
    imp: [imp],
    site: { id: config.site.id, domain: config.site.domain, page: config.site.page, ext: { area: 'home' } },
    user: { ext: { npa: false, ids: { lu: userId() } } },
    regs: { gdpr: 0, ext: { dsa: 1 } },
  };
}

function userId() {
  const known = localStorage.getItem('placard-demo-user') ?? crypto.randomUUID();
  localStorage.setItem('placard-demo-user', known);
  return known;
}

async function fill(slot) {
  slot.replaceChildren();
  if (slot.dataset.media === 'video') return fillVideo(slot);
  const response = await fetch(config.bidUrl, {
    method: 'POST',
    credentials: 'include',
    body: JSON.stringify(bidRequest(slot)),
  });
  if (response.status === 204) return showEmpty(slot, 'No ad wanted this place just now (204).');
  if (!response.ok) return showEmpty(slot, `The bid endpoint answered ${response.status}.`);
  const answer = await response.json();
  const bid = answer.seatbid[0].bid[0];
  shown.set(bid.id, { unit: slot.dataset.adUnit, slot });
  const draw = { 1: drawBanner, 4: drawNative }[bid.mtype];
  // A view of an ad whose impression is unknown does not count, so the view is watched from the impression on.
  void draw(slot, bid).then(() => watchView(slot, bid.ext.ems_link));
  slot.append(footOf(bid.ext.dsaurl ?? answer.ext.dsaurl));
}

/** A player asks for VAST by an address. */
async function fillVideo(slot) {
  const address = new URL(config.vastUrl);
  const { adUnit: unit, sizes: sz } = slot.dataset;
  const asked = { unit, sz, url: config.site.page, mimes: 'video/mp4,video/webm', gdpr: '0', ppid: userId() };
  address.search = new URLSearchParams({ ...asked, correlator: crypto.randomUUID() });
  const response = await fetch(address, { credentials: 'include' });
  const vast = new DOMParser().parseFromString(await response.text(), 'text/xml');
  const textOf = (selector) => vast.querySelector(selector)?.textContent.trim();
  if (!response.ok) return showEmpty(slot, `The VAST address returned ${response.status}.`);
  if (textOf('MediaFile') === undefined) return showEmpty(slot, 'No ad wanted this place just now.');
  shown.set(textOf('AdServingId'), { unit, slot });
  void drawVideo(slot, vast).then(() => watchView(slot, textOf('Impression')));
  slot.append(footOf(textOf('DsaUrl')));
}

function showEmpty(slot, text) {
  const note = document.createElement('p');
  note.className = 'empty';
  note.textContent = text;
  slot.replaceChildren(note);
}

/** Each `draw…` function returns a promise of the moment at which the server has the ad's impression. */
function drawBanner(slot, bid) {
  const frame = document.createElement('iframe');
  frame.title = 'Advertisement';
  frame.width = bid.w;
  frame.height = bid.h;
  frame.setAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox allow-scripts');
  // Scripts of ads do not run under the policy of this page: the ad server has a frame for them, which draws what it is sent.
  frame.src = new URL('/tag-frame.html', config.bidUrl).href;
  slot.append(frame);
  const loaded = () => new Promise((done) => frame.addEventListener('load', done, { once: true }));
  return loaded().then(() => {
    frame.contentWindow.postMessage({ placard: bid.adm }, '*');
    // The ad has loaded when its pixel has.
    return loaded();
  });
}

function drawNative(slot, bid) {
  const { fields, meta } = JSON.parse(bid.adm);
  const link = document.createElement('a');
  link.className = 'story';
  link.target = '_blank';
  link.rel = 'noopener';
  link.href = meta.adclick + fields.url;
  const image = Object.assign(document.createElement('img'), { src: fields.image, alt: '' });
  const text = document.createElement('div');
  text.append(
    Object.assign(document.createElement('span'), { textContent: meta.advertiser_name }),
    Object.assign(document.createElement('strong'), { textContent: fields.title }),
    Object.assign(document.createElement('span'), { textContent: fields.leadtext }),
    Object.assign(document.createElement('b'), { textContent: fields.Calltoaction }),
  );
  link.append(image, text);
  slot.append(link);
  return fire(bid.ext.ems_link);
}

function drawVideo(slot, vast) {
  const video = document.createElement('video');
  video.muted = true;
  video.controls = true;
  video.playsInline = true;
  video.setAttribute('aria-label', 'Video advertisement');
  for (const file of vast.querySelectorAll('MediaFile')) {
    video.append(
      Object.assign(document.createElement('source'), {
        src: file.textContent.trim(),
        type: file.getAttribute('type'),
      }),
    );
  }
  const fireAll = (selector) =>
    Promise.all([...vast.querySelectorAll(selector)].map((node) => fire(node.textContent.trim())));
  const once = new Set();
  const counted = Promise.withResolvers();
  const track = (event) => {
    if (!once.has(event)) void fireAll(`Tracking[event="${event}"]`);
    once.add(event);
  };
  video.addEventListener('playing', () => {
    if (!once.has('impression')) counted.resolve(fireAll('Impression'));
    once.add('impression');
    track('start');
  });
  video.addEventListener('timeupdate', () => {
    const part = video.currentTime / video.duration;
    if (part >= 0.25) track('firstQuartile');
    if (part >= 0.5) track('midpoint');
    if (part >= 0.75) track('thirdQuartile');
  });
  video.addEventListener('ended', () => track('complete'));
  slot.append(video);
  const playWhenSeen = new IntersectionObserver(
    ([entry]) => {
      if (entry.isIntersecting) void video.play().catch(() => {});
    },
    { threshold: 0.5 },
  );
  playWhenSeen.observe(video);
  return counted.promise;
}

function footOf(whyUrl) {
  const foot = document.createElement('div');
  foot.className = 'foot';
  const label = Object.assign(document.createElement('span'), { className: 'label', textContent: 'Advertisement' });
  foot.append(label);
  if (whyUrl)
    foot.append(
      Object.assign(document.createElement('a'), {
        className: 'why',
        href: whyUrl,
        target: '_blank',
        rel: 'noopener',
        textContent: 'Why this ad?',
      }),
    );
  return foot;
}

/** Half of the ad in view for one second is a viewable impression. */
function watchView(slot, impressionUrl) {
  let timer = 0;
  const observer = new IntersectionObserver(
    ([entry]) => {
      clearTimeout(timer);
      if (!entry.isIntersecting) return;
      timer = setTimeout(() => {
        observer.disconnect();
        void fire(impressionUrl.replace('/imp/', '/measurable/'));
        void fire(impressionUrl.replace('/imp/', '/view/'));
      }, 1000);
    },
    { threshold: 0.5 },
  );
  observer.observe(slot);
}

/** Returns a promise of the moment at which the server has responded. */
function fire(url) {
  return new Promise((done) => {
    const pixel = new Image();
    pixel.onload = done;
    pixel.onerror = done;
    pixel.src = url;
  });
}

async function askAll() {
  shown.clear();
  try {
    await Promise.all(slots.map(fill));
    status.textContent = 'Ads are shown; their events appear below as the report gets them.';
    document.querySelector('#convert').disabled = shown.size === 0;
  } catch {
    status.replaceChildren(
      'The ad server could not be reached from this page. Its certificate is made on this machine: open ',
      linkTo(config.deliveryUrl),
      ' once, accept it, and reload.',
    );
  }
}

function linkTo(url) {
  return Object.assign(document.createElement('a'), { href: `${url}/healthz`, textContent: url });
}

async function refreshCounts() {
  if (shown.size === 0) return;
  const response = await fetch(`/demo/counted.json?ads=${[...shown.keys()].join(',')}`);
  if (!response.ok) return;
  const counted = await response.json();
  const rows = [...shown].map(([id, ad]) => {
    const row = counted.ads[id] ?? {};
    const cells = [
      ad.unit,
      row.lineItem ?? '…',
      row.tier ?? '',
      row.impression ?? 0,
      row.viewable ?? 0,
      row.click ?? 0,
      row.activity ?? 0,
      `${row.revenue ?? '0'} ${counted.currency}`,
    ];
    const line = document.createElement('tr');
    line.append(...cells.map((text) => Object.assign(document.createElement('td'), { textContent: text })));
    return line;
  });
  document.querySelector('#own').replaceChildren(...rows);
  const reason = Object.values(counted.ads).find((ad) => ad.filtered)?.filtered;
  if (reason) status.textContent = `Events of this browser are kept apart and not billed (reason: ${reason}).`;
  document.querySelector('#totals').textContent =
    `Reports API, today, whole network: ${counted.today.impressions} impressions, ${counted.today.clicks} clicks, ${counted.today.revenue} ${counted.currency} revenue.`;
}

document.querySelector('#again').addEventListener('click', () => void askAll());
document.querySelector('#convert').addEventListener('click', (event) => void convert(event.target));

async function convert(button) {
  button.disabled = true;
  const response = await fetch('/demo/convert', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ lu: userId(), ads: [...shown.keys()] }),
  });
  status.textContent = response.ok
    ? 'The conversion was accepted and is on disk; it will stand in the table in a moment.'
    : 'The conversion was refused; see the server log.';
  button.disabled = false;
}

await askAll();
for (let poll = 0; poll < POLLS_MAX; poll += 1) {
  await new Promise((done) => setTimeout(done, POLL_MS));
  if (!document.hidden) await refreshCounts().catch(() => {});
}
