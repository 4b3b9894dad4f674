/**
 * The words that this project does not use, each with what to say instead: docs/glossary.md as a table that a machine can check.
 * A pattern sees text in lower case; the words of an identifier come one by one (`findPlaceById` is "find place by id").
 */

/** Where a rule looks: `name` is any declared identifier or file name, `verb` the name of a function, `prose` text for people. */
export type Scope = 'name' | 'verb' | 'prose' | 'title';

export interface Allowed {
  /** Text that is allowed, with the words around it that make it so. */
  readonly text: RegExp;
  /** Files that it is allowed in; everywhere when absent. */
  readonly paths?: RegExp;
  readonly because: string;
}

export interface LanguageRule {
  readonly id: string;
  readonly pattern: RegExp;
  readonly scopes: readonly Scope[];
  readonly say: string;
  /** Files that the rule is about; all when absent. */
  readonly paths?: RegExp;
  readonly allowed?: readonly Allowed[];
}

const nameAndProse: readonly Scope[] = ['name', 'verb', 'prose', 'title'];
const prose: readonly Scope[] = ['prose', 'title'];
const names: readonly Scope[] = ['name', 'verb'];
const budgets = /^src\/(?:delivery|events|domain)\//;

export const languageRules: readonly LanguageRule[] = [
  {
    id: 'reader',
    pattern: /\breaders?\b/g,
    scopes: nameAndProse,
    say: 'user (who sees ads); parser or query (code that reads)',
    allowed: [
      { text: /\bscreen readers?\b/g, because: 'an assistive technology' },
      {
        text: /^is reader$/g,
        paths: /^src\/delivery\/traffic\/opportunity-sample(?:\.olap)?\.ts$/,
        because: 'a stored name: a column of opportunity_samples',
      },
      { text: /\bget reader\b|\bstream default reader\b/g, because: 'the Web Streams API' },
    ],
  },
  {
    id: 'visitor',
    pattern: /\bvisitors?\b/g,
    scopes: nameAndProse,
    say: 'user',
    allowed: [{ text: /\b(?:ast|graphql|node|field) visitors?\b/g, because: 'code that visits the nodes of a tree' }],
  },
  {
    id: 'answer',
    pattern: /\banswer(?:s|ed|ing)?\b/g,
    scopes: nameAndProse,
    say: 'response (noun); responds, returns (verb)',
    allowed: [
      {
        text: /\b(?:idempotent )?answers?\b/g,
        paths: /^src\/storage\/sql\/(?:schema\.ts$|migrations\/0034-)/,
        because: 'stored names: a table, its column and a migration that has run',
      },
      {
        text: /\b(?:ads|activity|graphql|report|segment upload) answer\b/g,
        because: 'component names of contract/openapi.json, from which clients generate code',
      },
      {
        text: /\banswer\b/g,
        paths: /^(?:src\/delivery\/insight\/decision-log\/decision-log|test\/flow\/decision-log\.flow\.test)\.ts$/,
        because: 'a member of stored decision records',
      },
    ],
  },
  {
    id: 'exchange',
    pattern: /\bexchanges?\b/g,
    scopes: prose,
    say: 'request and response',
    allowed: [
      {
        text: /\b(?:ad|key|code|token|rate|supply-side|publisher or the) exchanges?\b|\bexchange rates?\b/g,
        because: 'the field’s own terms',
      },
      {
        text: /\bexchanges?\b/g,
        paths: /^src\/access\//,
        because: 'a process and the ledger exchange leases: none of the two responds to the other',
      },
    ],
  },
  { id: 'door', pattern: /\bdoors?\b/g, scopes: nameAndProse, say: 'endpoint, route' },
  {
    id: 'place',
    pattern: /\bplaces?\b/g,
    scopes: nameAndProse,
    say: 'ad unit (bookable), slot (one imp), geo (country, region, city), position or location (anything else)',
    allowed: [
      { text: /\b(?:decimal|in|of|take|takes|took|taking|first|work) places?\b/g, because: 'decimals and set phrases' },
      {
        text: /\bin (?:one|its|their|the right|the same|two|another|many|several|most|that|other|which) places?\b/g,
        because: 'plain English for where a text stands',
      },
      {
        text: /\bplace(?: id)?\b/g,
        paths: /^src\/storage\/sql\/(?:schema\.ts$|migrations\/0016-)/,
        because: 'stored names: the columns of traffic_curves and a migration that has run',
      },
      { text: /\bplaces? (?:of decimals|after the (?:point|comma))\b/g, because: 'decimals' },
      { text: /\bcompanion places\b/g, because: 'a member of stored opportunity samples' },
      {
        text: /\bplace(?= [<=]|: u|$)/gm,
        paths: /^src\/delivery\/traffic\/opportunity-sample\.olap\.ts$/,
        because: 'a stored name: a column of opportunity_samples',
      },
    ],
  },
  {
    id: 'row',
    pattern: /\brows?\b/g,
    scopes: names,
    say: 'lineItem (a line item of the snapshot)',
    paths: /^(?:src\/delivery|test\/worlds)\/(?!.*\.(?:sql|olap)(?:\.test)?\.ts$)/,
    allowed: [
      {
        text: /^row$/g,
        paths: /^src\/delivery\/snapshot\/snapshot-file\.ts$/,
        because: 'a stored name: a member of lines of snapshot files',
      },
    ],
  },
  {
    id: 'noun',
    pattern: /\bnouns?\b/g,
    scopes: nameAndProse,
    say: 'resource',
  },
  {
    id: 'set-aside',
    pattern: /\b(?:sets?|setting|put|puts|putting) aside\b|\bsift(?:s|ed|ing|er)?\b/g,
    scopes: nameAndProse,
    say: 'dead letter; filter',
  },
  {
    id: 'room',
    pattern: /\brooms?\b/g,
    scopes: nameAndProse,
    say: 'module (folder), service (running object), headroom or remaining budget, space',
  },
  {
    id: 'away',
    pattern: /\baway\b/g,
    scopes: nameAndProse,
    say: 'unavailable, down (a store); absent (a person)',
    allowed: [
      {
        text: /\b(?:right|straight|thrown?|throws|throwing|threw|tak(?:e|es|en|ing)(?: \w+)?|took|cut(?:s|ting)?(?: \w+)?|go|goes|going|gone|went|mov(?:e|es|ed|ing)|far|turn(?:s|ed|ing)?|giv(?:e|es|en)|walk(?:s|ed)?|sign(?:s|ed)?|clear(?:s|ed)?|fall(?:s|en)?|fell|wip(?:e|es|ed)|swept|thrown it|throws it|\d+ \w+|metres?|pixels?) away\b/g,
        because: 'a movement, not a state of a store',
      },
    ],
  },
  {
    id: 'settle',
    pattern: /\bsettl(?:e|es|ed|ing|ement|ements)\b/g,
    scopes: nameAndProse,
    say: 'commit, release (a budget hold); ship, complete (a spool file)',
    allowed: [
      { text: /\ball settled\b|\bpromise settled\b/g, because: 'Promise.allSettled' },
      {
        text: /\bpromises? (?:is|are|has|have)? ?settle[sd]?\b|\bsettles the promise\b/g,
        because: 'the state of a promise',
      },
    ],
  },
  {
    id: 'book',
    pattern: /^books?\b/g,
    scopes: ['verb'],
    say: 'reserve (a budget hold)',
    paths: /^src\/(?:delivery|events)\//,
  },
  {
    id: 'book-budget',
    pattern:
      /\b(?:book(?:s|ed|ing)?) (?:on|against|from|into|off) (?:the |its |a |their )?(?:budget|lease|share|hold|ledger|counter)s?\b/g,
    scopes: prose,
    say: 'reserve, commit',
  },
  {
    id: 'view',
    pattern: /\bviews?\b/g,
    scopes: names,
    say: 'impression, viewableImpression',
    paths: budgets,
    allowed: [
      {
        text: /\b(?:saved|materialized|creative|data|page|web|json|byte|array) views?\b|\bview (?:port|box|of|through)\b/g,
        because: 'other things of that name',
      },
      { text: /\bview window seconds\b/g, because: 'a member of the GraphQL API' },
    ],
  },
  {
    id: 'view-prose',
    pattern:
      /\b(?:counted|billed|last|ad|ad's|companion's|unfired|post-?) views?\b|\bviews? and clicks?\b|\bview or click\b|\bclick or view\b|\bclicks? and views?\b|\bview (?:window|link|pixel|of an? (?:ad|companion|creative))s?\b/g,
    scopes: prose,
    say: 'impression, viewable impression',
  },
  {
    id: 'segment',
    pattern: /\bsegments?\b/g,
    scopes: names,
    say: 'spoolFile; logFile (of the decision log)',
    paths: /^src\/(?:events|delivery\/insight\/decision-log)\//,
    allowed: [
      { text: /\bsegments?\b/g, paths: /^src\/events\/activities\//, because: 'audience segments' },
      {
        text: /\b(?:user|audience|path|rule|member|broken|in|with|of|by|read|write|list|lists|push|day) segments?\b|\bsegment (?:user|users|list|lists|day|push|member|members|membership|memberships|rule|rules|id|ids|key|keys|sighting|observer|entry|marks|reservations?)\b/g,
        because: 'audience segments',
      },
    ],
  },
  {
    id: 'segment-prose',
    pattern:
      /\b(?:sealed|open|broken|settled|spool|spooled|shipped|finished|counted|newest|oldest|damaged|faulty|full|unsealed|recovered|abandoned) segments?\b|\bsegments? (?:is|are) (?:sealed|shipped|renamed|settled)\b/g,
    scopes: prose,
    say: 'spool file',
    allowed: [{ text: /\bopen segments? (?:to|of users)\b/g, because: 'audience segments' }],
  },
  {
    id: 'slot',
    pattern: /\bslots?\b/g,
    scopes: names,
    say: 'workerIndex',
    paths: /^src\/(?:supervisor|compose|runtime|events|delivery\/(?:pacing|budget))\//,
  },
  {
    id: 'slot-prose',
    pattern: /\b(?:worker(?:'s)? slots?|slots? of (?:a |the |its )?workers?|slot number)\b/g,
    scopes: prose,
    say: 'worker index',
  },
  {
    id: 'weak-verb',
    pattern: /^(?:judge|take|give|note|keep|stand|want)s?\b/g,
    scopes: ['verb'],
    say: 'validate, resolve, parse, normalize, build, render, encode, record, sample, acquire, retain',
    allowed: [
      { text: /^keep alive\b/g, because: 'HTTP’s term' },
      { text: /^take (?:while|until|last)\b/g, because: 'terms of sequences' },
    ],
  },
  {
    id: 'judge',
    pattern: /\bjudge(?:s|d)?\b|\bjudging\b|\bjudge?ments?\b/g,
    scopes: prose,
    say: 'decide, check, filter, validate; eligible, filtered',
  },
  { id: 'asked-for', pattern: /\bwhat is asked for\b/g, scopes: prose, say: 'slot, request' },
  { id: 'kept-of', pattern: /\bwhat is kept of\b/g, scopes: prose, say: 'retention' },
  { id: 'too-much', pattern: /\bdelivered too (?:much|little)\b/g, scopes: prose, say: 'overdelivery, underdelivery' },
  {
    id: 'is-no',
    pattern:
      /(?<!\bthere )\b(?:is|are|was|were|be) no (?!longer\b|more\b|less\b|fewer\b|later\b|such\b|earlier\b|larger\b|smaller\b|greater\b|older\b|newer\b|other\b|better\b|worse\b|further\b)[a-z]/g,
    scopes: prose,
    say: 'is not a …; say what it is',
  },
  { id: 'of-what', pattern: /\bof what\b/g, scopes: prose, say: 'name the thing' },
  {
    id: 'double-negation',
    pattern:
      /\b(?:not|never|cannot|nothing|nobody|none) (?:(?!when|where|if|unless|and|or|but)\w+ ){0,2}(?:nothing|nobody|none|without)\b/g,
    scopes: prose,
    say: 'say it positively',
  },
  {
    id: 'what-became',
    pattern: /\bwhat (?:became|becomes) of\b/g,
    scopes: prose,
    say: 'the result of, the state of, the outcome of',
  },
  {
    id: 'what-it-needs',
    pattern:
      /^\W*what (?:[\w'’-]+ ){1,7}(?:works? with|needs?|(?:is|are) (?:made|built|drawn|opened) (?:from|with|of))\s*[.,;:]/g,
    scopes: prose,
    say: 'Options of …, Dependencies of …, The input of …, The fields of …',
  },
  {
    id: 'archaic',
    pattern: /\b(?:whoever|anew|thereby|whereby|thereof|hence)\b/g,
    scopes: nameAndProse,
    say: 'the person who, the caller that (whoever); again, new (anew); so (thereby, hence)',
  },
  {
    id: 'checklist',
    pattern: /\bchecklist\b/g,
    scopes: prose,
    say: 'the point of docs/conformance.md, in a line `Conformance: B14`',
  },
];
