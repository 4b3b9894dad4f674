/** Each alert fires on a series that shows its fault, and stays quiet on one that does not: `promtool test rules` decides. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';

const RULES = fileURLToPath(new URL('../deploy/prometheus/placard-alerts.yaml', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'placard-alerts-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** Values of series by minute, as promtool writes them: `a+bxn` begins with a and adds b, n times. */
type Series = Readonly<Record<string, string>>;

interface Trial {
  readonly fires: Series;
  readonly quiet: Series;
  /** When both are looked at. Default: after 40 minutes. */
  readonly at?: string;
}

const I = 'instance="ads-1:9464"';
const P = `${I},process="delivery 0"`;
/** A series that has one value, or a counter that grows by so much each minute. */
const constant = (value: number, minutes = 60): string => `${value}+0x${minutes}`;
const growing = (perMinute: number): string => `0+${perMinute}x60`;

function level(name: string, bad: number, good: number, labels = P): Trial {
  return { fires: { [`${name}{${labels}}`]: constant(bad) }, quiet: { [`${name}{${labels}}`]: constant(good) } };
}

function counter(name: string, perMinute: number, labels = P, goodPerMinute = 0): Trial {
  const series = `${name}{${labels}}`;
  return { fires: { [series]: growing(perMinute) }, quiet: { [series]: growing(goodPerMinute) } };
}

/** Of two counters, the first grows by this share of the second. */
function share(part: string, whole: string, bad: number, good: number): Trial {
  const at = (ratio: number): Series => ({ [part]: growing(1_000 * ratio), [whole]: growing(1_000) });
  return { fires: at(bad), quiet: at(good) };
}

/** A histogram whose responses all take less than the second bound and more than the first. */
function histogram(name: string, labels: string, [slow, fast]: readonly [number, number]): Trial {
  const bounds = [0.001, 0.005, 0.01, 0.05, 0.25, 1, 15];
  const at = (seconds: number): Series => {
    const buckets = bounds.map((bound) => [
      `${name}_bucket{${labels},le="${bound}"}`,
      growing(bound >= seconds ? 600 : 0),
    ]);
    return Object.fromEntries([...buckets, [`${name}_bucket{${labels},le="+Inf"}`, growing(600)]]) as Series;
  };
  return { fires: at(slow), quiet: at(fast) };
}

const served = (status: string, name = 'placard_delivery_request_seconds_count'): string =>
  `${name}{${P},route="bid",status="${status}"}`;
const decisions = (result: string): string => `placard_decisions_total{${P},result="${result}"}`;
const filled = (today: number): Series => ({
  [decisions('filled')]: `0+500x1440 ${500 * 1_440}+${today}x1440`,
  [decisions('empty')]: `0+500x1440 ${500 * 1_440}+${1_000 - today}x1440`,
});

const TRIALS: Readonly<Record<string, Trial>> = {
  PlacardDown: level('up', 0, 1, `${I},job="placard"`),
  PlacardProcessNotReady: level('placard_process_ready', 0, 1),
  // A rolling restart is one start.
  PlacardProcessRestarts: counter('placard_process_starts_total', 1, P, 0.1),
  PlacardServerErrors: share(served('503'), served('200'), 0.05, 0.005),
  PlacardSlow: histogram('placard_delivery_request_seconds', `${P},route="bid"`, [0.25, 0.05]),
  PlacardCoreErrors: share(
    served('500', 'placard_core_request_seconds_count'),
    served('200', 'placard_core_request_seconds_count'),
    0.1,
    0.02,
  ),
  PlacardCoreSlow: histogram('placard_core_request_seconds', `${P},route="/graphql",status="200"`, [15, 1]),
  PlacardCertificateEnds: level('placard_certificate_expiry_timestamp_seconds', 6 * 86_400, 30 * 86_400),
  PlacardClockWrong: level('placard_clock_skew_seconds', -3, 1.5),
  PlacardEventsRefused: counter('placard_spool_failed_appends_total', 1),
  PlacardClicksLost: counter('placard_clicks_lost_total', 1),
  PlacardDiskLow: level('placard_disk_low', 1, 0),
  PlacardShippingBehind: level('placard_spool_oldest_event_age_seconds', 700, 500),
  PlacardConversionsWait: level('placard_conversions_uncredited_age_seconds', 700, 60),
  PlacardAnalyticsLost: level('placard_analytics_lost', 1, 0),
  PlacardDeadLetters: counter('placard_dead_letters_total', 1, `${P},reason="damaged"`),
  PlacardCountingDeferred: counter('placard_event_claims_deferred_total', 1),
  PlacardBudgetStoreFailures: counter('placard_budget_store_failures_total', 1),
  PlacardLeasesLate: share(`placard_budget_leases_late_total{${P}}`, decisions('filled'), 0.05, 0.005),
  PlacardStorageFull: level('placard_storage_fullest_ratio', 0.95, 0.8, `${P},quota="assets"`),
  PlacardExportBehind: level('placard_export_lag_seconds', 4 * 3_600, 3_600),
  PlacardMailsFail: level('placard_mails_waiting', 30, 3),
  PlacardSnapshotOld: level('placard_snapshot_age_seconds', 400, 5),
  // A single failed plan is tried again.
  PlacardPlansFailing: counter('placard_plans_total', 0.2, `${P},outcome="failed"`, 0.03),
  PlacardPlansOld: level('placard_plan_age_seconds', 1_500, 400),
  PlacardFillDropped: { fires: filled(100), quiet: filled(400), at: '1d12h' },
  PlacardDecisionsSlow: histogram('placard_decision_seconds', P, [0.05, 0.005]),
  PlacardHotStoreSlow: histogram('placard_hot_store_seconds', `${P},operation="count"`, [0.25, 0.01]),
  PlacardNodeDiffers: level('placard_cluster_differs', 1, 0),
  PlacardHotStoreDown: level('placard_hot_store_circuit_open', 1, 0),
  PlacardRedisEvicts: level('placard_redis_evicted_keys_total', 5, 0),
  PlacardHotStoreRebuilding: level('placard_hot_store_lost_shards', 1, 0),
  PlacardLedgerFailing: level('placard_ledger_failing', 1, 0),
  PlacardUsersForgotten: counter('placard_ledger_forgotten_total', 1),
  PlacardPoolUsedUp: level('placard_postgres_waiting', 3, 0),
  PlacardJobNotRun: level('placard_job_held', 0, 1, `${P},name="retention"`),
  // A job that fails and is tried again each hour pages nobody.
  PlacardJobFails: counter('placard_job_runs_total', 1, `${P},name="retention",result="failed"`, 1 / 60),
  PlacardBackupOld: {
    fires: { [`placard_backup_last_good_timestamp_seconds{${P}}`]: constant(0, 2_400) },
    quiet: { [`placard_backup_last_good_timestamp_seconds{${P}}`]: constant(60_000, 2_400) },
    at: '36h',
  },
  PlacardJobsPaused: {
    fires: { [`placard_jobs_paused{${P}}`]: constant(1, 2_400) },
    quiet: { [`placard_jobs_paused{${P}}`]: constant(0, 2_400) },
    at: '30h',
  },
  PlacardCountsDiffer: level('placard_count_differences', 3, 0),
  // Another process had the lease before, and its last success grows older.
  PlacardProbeFails: {
    fires: {
      [`placard_probe_last_good_timestamp_seconds{${P}}`]: constant(1_200),
      [`placard_probe_last_good_timestamp_seconds{instance="ads-2:9464",process="core"}`]: constant(60),
    },
    quiet: {
      [`placard_probe_last_good_timestamp_seconds{${P}}`]: '0+60x60',
      [`placard_probe_last_good_timestamp_seconds{instance="ads-2:9464",process="core"}`]: constant(60),
    },
  },
  PlacardJobStale: {
    fires: { [`placard_job_last_good_run_timestamp_seconds{${P},name="retention"}`]: constant(0, 2_000) },
    quiet: { [`placard_job_last_good_run_timestamp_seconds{${P},name="retention"}`]: constant(100_000, 2_000) },
    at: '30h',
  },
};

const rules = (parse(readFileSync(RULES, 'utf8')) as { groups: { rules: { alert: string }[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const alerts = rules.map(({ alert }) => alert);

test('each rule has a series that must fire, and one that must not', () => {
  expect(Object.keys(TRIALS).sort()).toEqual([...alerts].sort());
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

test.skipIf(!hasPromtool)(
  'each alert fires on its fault alone (needs promtool on the PATH: package "prometheus")',
  () => {
    // A file for each alert: promtool evaluates all rules of a file at each step of each series.
    const paths = rules.map((rule) => {
      const { alert: alertname } = rule;
      const { fires, quiet, at = '40m' } = TRIALS[alertname] as Trial;
      const expr = `count by (alertname) (ALERTS{alertname="${alertname}",alertstate="firing"})`;
      const trials = [true, false].map((isFiring) => ({
        interval: '1m',
        input_series: Object.entries(isFiring ? fires : quiet).map(([series, values]) => ({ series, values })),
        promql_expr_test: [
          { expr, eval_time: at, exp_samples: isFiring ? [{ labels: `{alertname="${alertname}"}`, value: 1 }] : [] },
        ],
      }));
      const ruleFile = join(dir, `${alertname}.rules.yaml`);
      const path = join(dir, `${alertname}.yaml`);
      writeFileSync(ruleFile, stringify({ groups: [{ name: 'placard', rules: [rule] }] }));
      writeFileSync(path, stringify({ rule_files: [ruleFile], evaluation_interval: '5m', tests: trials }));
      return path;
    });
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', ...paths], { encoding: 'utf8' });
    expect(`${stdout}${stderr}`).not.toContain('FAILED');
    expect(status).toBe(0);
  },
);
