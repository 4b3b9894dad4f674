/** Whether the title of a test is a whole sentence with its subject. A heuristic: it knows verbs by a list, not by grammar. */

const verbs =
  `accept acknowledge act add admit agree allow appear append apply archive arrive ask assert assign attribute authenticate
  balance be become beat become begin belong bill bind bleed block book bound break bring build burn call cancel cap carry
  catch cause change charge check choose claim clear click close collect combine come commit compare compile complete compress compute
  confirm connect consume contain continue convert copy cost count cover crash create credit cut damage deal debit decide declare decode
  decrease delay delete deliver demand deny depend describe deserve detect differ disable disagree disappear discard divide do double drain draw
  drip drive drop earn echo edit embed empty enable encode encrypt end enforce enter equal erase escape estimate exceed exclude execute exhaust exist
  expect expire explain export extend fail fall fetch fill filter find finish fire fit fix flow flush follow forbid force forecast forget forward free
  freeze gain get give go grant group grow guess halve handle happen have heal hide hit hold hurt identify ignore import include increase
  indicate inflate inherit insert inspect install interrupt introduce invalidate invite issue join jump keep kill know lack land last lay lead leak learn lease
  leave lend let lie limit link list listen live load localise localize lock log look lose make map mark match mean measure meet mend merge
  mint miss mix move multiply name narrow need negotiate normalise normalize note number obey occur offer omit open order outlive outrank outrun override overrun
  overtake overwrite own pace pack page parse pass pause pay permit persist pick pin pivot place play point preserve prefer present prevent print produce
  project promise protect prove provide publish purge push put queue race raise range rank reach reaches read rebuild recall receive recognise recognize
  recompute reconcile reconnect record recover redirect reduce refer reflect refresh refund refuse reject relate release rely remain remember
  remove rename render renew reopen repair repeat replace replay reply report represent request require reserve reset resist resolve respect respond
  restart restore restrict result resume retain retire retry return reuse reveal revert revoke revive rewrite roll rotate round route run save say scale
  scan schedule score seal search see seed seem select sell send separate serve set settle shift ship show shrink shut sign skip sleep slow
  smooth sort speak spend split spread stall stamp stand start state stay steal step stop store stream stretch strip subtract succeed suffer suggest
  sum summarise summarize support survive suspend swallow swap switch tag take talk target tell terminate test think throw tie time tolerate touch trace track
  treat trigger trim trip trust try turn undo unlock unsubscribe update upgrade use validate vanish vary verify violate wait wake want warn
  weigh widen win withdraw withhold work wrap write yield`
    .split(/\s+/)
    .filter((verb) => verb !== '');

const irregular = `is are was were has have had does do did can cannot could may might must will would shall should been
  goes got gets held kept made said sent served shown sees went came ran won lost left stood fell drew wrote took gave began`.split(
  /\s+/,
);

function thirdPerson(verb: string): string {
  if (/(?:s|x|z|ch|sh|o)$/.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

/** Words that end like verbs and begin titles as nouns: a title may begin with them when a verb follows. */
const alsoNouns: ReadonlySet<string> = new Set(
  `acts books calls caps changes charges claims clicks copies costs counts credits deals drops edits ends exports fires fits
  forecasts grants groups holds imports issues keys leases limits links lists loads locks logs marks matches names needs notes numbers
  offers orders pages picks pins places plays points prints queues ranges reads records redirects releases repeats replies reports requests
  restarts results retries returns routes runs sales scans schedules scores searches seeds shares shows signs splits starts states steps stops stores
  streams sums supports swaps tags targets tests times tracks tries turns updates uses views visits wins works writes yields`.split(
    /\s+/,
  ),
);
const thirdPersons: ReadonlySet<string> = new Set([...verbs.map(thirdPerson), 'is', 'has', 'does', 'was', 'are']);
const plainForms: ReadonlySet<string> = new Set(verbs);
const boundForms: ReadonlySet<string> = new Set([...thirdPersons, ...irregular]);
/** The words before a verb in its plain form: a plural, two subjects, or one of these. */
const plural =
  /s$|^(?:and|people|children|data|they|we|you|both|all|two|three|ten|others|which|that|who|never|only|not|also|always|together|\d+)$/;
const lateSubject =
  /^(?:what|whatever|with|without|of|also|and|but|nor|neither|beyond|past|among|below|above|only when|even|still|too|not)\b/i;

function wordsOfTitle(text: string): string[] {
  return text.toLowerCase().match(/%[a-z]|\$[\w.]+|[a-z0-9_'’-]+/g) ?? [];
}

/** The fault of a title, as the id of a rule; null for a valid title. */
export function titleFault(title: string): string | null {
  const text = title.trim();
  if (/^[A-Z]\d{1,2}\b(?! is | of )/.test(text) && /^[A-Z]\d{1,2}(?: [A-Z]\d{1,2})*[ ·]/.test(text))
    return 'title-point';
  const words = wordsOfTitle(text);
  if (words.every((word) => /^[%$]/.test(word) || word === 'n')) return null;
  if (words.length < 3) return 'title-sentence';
  const first = words[0] ?? '';
  if (lateSubject.test(text)) return 'title-subject';
  if (thirdPersons.has(first) && !alsoNouns.has(first)) return 'title-subject';
  const head = wordsOfTitle(text.split(/: |; /)[0] ?? '');
  return head.some((word, at) => at > 0 && isVerb(word, head.slice(0, at))) ? null : 'title-sentence';
}

function isVerb(word: string, before: readonly string[]): boolean {
  return (
    boundForms.has(word.replace(/n[’']t$/, '')) || (plainForms.has(word) && before.some((one) => plural.test(one)))
  );
}

export const titleRules: Readonly<Record<string, string>> = {
  'title-point': 'cite the point in a comment line above: // Conformance: B14',
  'title-sentence': 'a whole sentence: subject, verb, what follows',
  'title-subject': 'begin with the subject: "the bid endpoint returns …"',
};
