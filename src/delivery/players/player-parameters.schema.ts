/** What the addresses of players do with a parameter. */
export type ParameterUse = 'read' | 'restricts' | 'ignored';

/** A parameter: its names (the first that is given counts), its use, and its meaning or the reason why it is ignored. */
export type PlayerParameter = readonly [names: readonly string[], use: ParameterUse, note: string];

const CONTEXT = 'Context of the player; target key-values (`cust_params`) instead.';
const OTHER_SERVER = 'Addresses the features of another ad server.';

/**
 * Every parameter of the addresses of players: ours, and those of IMA-style tags. `restricts`: an ad that does not fit is not returned. The
 * parser finds names here, and `docs/video-parameters.md` is written from the table.
 */
export const PLAYER_PARAMETERS = {
  unit: [['unit', 'iu'], 'read', 'Name or id of the ad unit. Required. As `iu`, it may be `/network/name`.'],
  sizes: [['sz'], 'read', 'Sizes of the player, such as `640x480` or `640x480|400x300`; for reports.'],
  page: [['url', 'description_url'], 'read', 'Address of the page; for targeting and reports.'],
  keyValues: [
    ['cust_params'],
    'read',
    'Key-values, percent-encoded: `section=sport&team=a,b` becomes `section%3Dsport%26team%3Da%2Cb`.',
  ],
  position: [['vpos'], 'read', '`preroll`, `midroll` or `postroll`; for targeting of positions.'],
  minDuration: [['min_ad_duration'], 'restricts', 'Milliseconds.'],
  maxDuration: [['max_ad_duration'], 'restricts', 'Milliseconds; 0 = no limit.'],
  mimes: [['mimes'], 'restricts', 'Types of media files that the player plays, with commas: `video/mp4,video/webm`.'],
  linearity: [
    ['vad_type'],
    'restricts',
    '`linear` or `nonlinear`; all films are linear, so that `nonlinear` gets none.',
  ],
  companions: [['ciu_szs'], 'restricts', 'Sizes of the slots for companions, with commas: `300x250,728x90`.'],
  version: [['vast'], 'read', 'Version of the VAST document: `2.0`, `3.0`, `4.0`, `4.1` or `4.2`.'],
  output: [
    ['output'],
    'read',
    'Without `vast`: `vast`, `xml_vast2`, `xml_vast3`, `xml_vast4`; `vmap` and `xml_vmap1` say nothing.',
  ],
  breaks: [['breaks'], 'read', 'Of `/vmap`: where ads are shown, with commas; see [video.md](video.md#vmap).'],
  breakAds: [
    ['break_ads'],
    'read',
    'Of `/vmap`: `tag` (each break has an address) or `inline` (each has its VAST document).',
  ],
  gdpr: [['gdpr'], 'restricts', '1 (and anything but 0): personal ads need consent.'],
  consent: [['gdpr_consent'], 'restricts', 'TCF string.'],
  gpp: [['gpp'], 'restricts', 'GPP string. An opt-out, or a string that cannot be read: no personal ad.'],
  usPrivacy: [['us_privacy'], 'restricts', 'An opt-out: no personal ad.'],
  npa: [['npa', 'rdp', 'ltd'], 'restricts', '1 in any of them: no personal ad.'],
  coppa: [['coppa', 'tfcd', 'tfua'], 'restricts', '1 in any of them: no personal ad.'],
  limited: [['lmt', 'dnt', 'is_lat'], 'restricts', '1 in any of them: no personal ad.'],
  ppid: [['ppid'], 'read', "The publisher's hashed id of the user; for frequency caps and segments."],
  unwrap: [
    ['unwrap'],
    'read',
    '1: tags of third parties are followed here, and the response holds their ads; see [video.md](video.md#third-parties-tags).',
  ],
  test: [['test', 'adtest'], 'read', '1 or `on`: an ad that is never counted or billed.'],
  debug: [['debug'], 'read', 'Under `/staging`, 1 names the reason of an empty response, in a comment.'],
  gppSections: [['gpp_sid'], 'ignored', 'Every section of the string counts.'],
  addtlConsent: [['addtl_consent'], 'ignored', 'Consent of vendors outside of TCF: no vendor gets data of a user.'],
  cacheBuster: [['correlator', 'ord', 'rnd', 'cb', 'c'], 'ignored', 'Makes addresses differ: no response is cached.'],
  podAds: [['pmad'], 'restricts', 'Most ads of a break, up to 20; without it and `pmxd`, a response has one ad.'],
  podTime: [['pmxd'], 'restricts', 'Milliseconds that the ads of a break may take together.'],
  pods: [['pmnd', 'ppos', 'mridx', 'pod'], 'ignored', CONTEXT],
  playback: [['vpa', 'vpmute', 'vconp', 'plcmt', 'wta', 'sid', 'sdkv', 'vid_d', 'aconp'], 'ignored', CONTEXT],
  content: [['vid', 'cmsid', 'vid_t', 'vid_kw'], 'ignored', CONTEXT],
  embedding: [['ref', 'top', 'loc', 'ged', 'u_so'], 'ignored', CONTEXT],
  language: [['hl'], 'ignored', 'Languages are those of the header `Accept-Language`.'],
  addressOfUser: [
    ['ip', 'ua'],
    'ignored',
    'Address and user agent are those of the connection: anybody could write others.',
  ],
  flow: [
    ['env', 'gdfp_req', 'impl', 'ad_rule', 'unviewed_position_start', 'ad_type', 'nofb', 'scor', 'excl_cat', 'exp'],
    'ignored',
    OTHER_SERVER,
  ],
} as const satisfies Readonly<Record<string, PlayerParameter>>;

/** Key of a parameter in the table. */
export type PlayerParameterKey = keyof typeof PLAYER_PARAMETERS;
