import type { Migration } from 'kysely';
import * as networksAndBooking from './0001-networks-and-booking.sql.ts';
import * as access from './0002-access.sql.ts';
import * as auditAndSignIn from './0003-audit-and-sign-in.sql.ts';
import * as management from './0004-management.sql.ts';
import * as keyValues from './0005-key-values.sql.ts';
import * as segments from './0006-segments.sql.ts';
import * as savedViews from './0007-saved-views.sql.ts';
import * as reportTasks from './0008-report-tasks.sql.ts';
import * as trafficCurves from './0009-traffic-curves.sql.ts';
import * as reportSchedules from './0010-report-schedules.sql.ts';
import * as trafficCurvesBySite from './0011-traffic-curves-by-site.sql.ts';
import * as segmentRulesAndFloors from './0012-segment-rules-and-floors.sql.ts';
import * as companions from './0013-companions.sql.ts';
import * as reportMembers from './0015-report-members.sql.ts';
import * as trafficCurvesByPlace from './0016-traffic-curves-by-place.sql.ts';
import * as trafficCurvesOfLineItems from './0017-traffic-curves-of-line-items.sql.ts';
import * as mail from './0020-mail.sql.ts';
import * as reportMail from './0021-report-mail.sql.ts';
import * as passkeysAndVerification from './0023-passkeys-and-verification.sql.ts';
import * as identityProviders from './0024-identity-providers.sql.ts';
import * as storageQuotas from './0030-storage-quotas.sql.ts';
import * as limitCeilings from './0033-limit-ceilings.sql.ts';
import * as idempotentAnswersInOrder from './0034-idempotent-answers-in-order.sql.ts';
import * as auditHeadLines from './0040-audit-head-lines.sql.ts';
import * as cpcv from './0041-cpcv.sql.ts';
import * as cluster from './0044-cluster.sql.ts';
import * as hotRecovery from './0045-hot-recovery.sql.ts';
import * as jobLeases from './0046-job-leases.sql.ts';
import * as schemaLevel from './0047-schema-level.sql.ts';
import * as nodeTokens from './0055-node-tokens.sql.ts';
import * as countedActivities from './0057-counted-activities.sql.ts';
import * as dealKinds from './0059-deal-kinds.sql.ts';
import * as allocationPlans from './0060-allocation-plans.sql.ts';
import * as backupCuts from './0061-backup-cuts.sql.ts';
import * as externalIds from './0062-external-ids.sql.ts';
import * as webhooks from './0065-webhooks.sql.ts';
import * as goalStatus from './0066-goal-status.sql.ts';
import * as optimisationGoals from './0067-optimisation-goals.sql.ts';
import * as labels from './0068-labels.sql.ts';
import * as contextModels from './0069-context-models.sql.ts';
import * as bulkJobs from './0070-bulk-jobs.sql.ts';
import * as annotations from './0071-annotations.sql.ts';
import * as creativeLibrary from './0075-creative-library.sql.ts';
import * as lineItemStandings from './0080-line-item-standings.sql.ts';
import * as team from './0085-team.sql.ts';
import * as reportShares from './0086-report-shares.sql.ts';
import * as libraryAnnotations from './0087-library-annotations.sql.ts';
import * as segmentSizes from './0090-segment-sizes.sql.ts';
import * as reportShareOwners from './0095-report-share-owners.sql.ts';
import * as reportFileFormats from './0096-report-file-formats.sql.ts';
import * as sharesOfTheDisabled from './0097-shares-of-the-disabled.sql.ts';
import * as textsInNfc from './0098-texts-in-nfc.sql.ts';
import * as conversionMaturities from './0100-conversion-maturities.sql.ts';
import * as experiments from './0101-experiments.sql.ts';
import * as forecastRecords from './0102-forecast-records.sql.ts';
import * as idsOfTenants from './0103-ids-of-tenants.sql.ts';
import * as analyticsMarks from './0104-analytics-marks.sql.ts';
import * as nodeMachines from './0105-node-machines.sql.ts';

/** Every migration by name, in the order of their numbers. A migration that has shipped is never edited. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-networks-and-booking': networksAndBooking as Migration,
  '0002-access': access as Migration,
  '0003-audit-and-sign-in': auditAndSignIn as Migration,
  '0004-management': management as Migration,
  '0005-key-values': keyValues as Migration,
  '0006-segments': segments as Migration,
  '0007-saved-views': savedViews as Migration,
  '0008-report-tasks': reportTasks as Migration,
  '0009-traffic-curves': trafficCurves as Migration,
  '0010-report-schedules': reportSchedules as Migration,
  '0011-traffic-curves-by-site': trafficCurvesBySite as Migration,
  '0012-segment-rules-and-floors': segmentRulesAndFloors as Migration,
  '0013-companions': companions as Migration,
  '0015-report-members': reportMembers as Migration,
  '0016-traffic-curves-by-place': trafficCurvesByPlace as Migration,
  '0017-traffic-curves-of-line-items': trafficCurvesOfLineItems as Migration,
  '0020-mail': mail as Migration,
  '0021-report-mail': reportMail as Migration,
  '0023-passkeys-and-verification': passkeysAndVerification as Migration,
  '0024-identity-providers': identityProviders as Migration,
  '0030-storage-quotas': storageQuotas as Migration,
  '0033-limit-ceilings': limitCeilings as Migration,
  '0034-idempotent-answers-in-order': idempotentAnswersInOrder as Migration,
  '0040-audit-head-lines': auditHeadLines as Migration,
  '0041-cpcv': cpcv as Migration,
  '0044-cluster': cluster as Migration,
  '0045-hot-recovery': hotRecovery as Migration,
  '0046-job-leases': jobLeases as Migration,
  '0047-schema-level': schemaLevel as Migration,
  '0055-node-tokens': nodeTokens as Migration,
  '0057-counted-activities': countedActivities as Migration,
  '0059-deal-kinds': dealKinds as Migration,
  '0060-allocation-plans': allocationPlans as Migration,
  '0061-backup-cuts': backupCuts as Migration,
  '0062-external-ids': externalIds as Migration,
  '0065-webhooks': webhooks as Migration,
  '0066-goal-status': goalStatus as Migration,
  '0067-optimisation-goals': optimisationGoals as Migration,
  '0068-labels': labels as Migration,
  '0069-context-models': contextModels as Migration,
  '0070-bulk-jobs': bulkJobs as Migration,
  '0071-annotations': annotations as Migration,
  '0075-creative-library': creativeLibrary as Migration,
  '0080-line-item-standings': lineItemStandings as Migration,
  '0085-team': team as Migration,
  '0086-report-shares': reportShares as Migration,
  '0087-library-annotations': libraryAnnotations as Migration,
  '0090-segment-sizes': segmentSizes as Migration,
  '0095-report-share-owners': reportShareOwners as Migration,
  '0096-report-file-formats': reportFileFormats as Migration,
  '0097-shares-of-the-disabled': sharesOfTheDisabled as Migration,
  '0098-texts-in-nfc': textsInNfc as Migration,
  '0100-conversion-maturities': conversionMaturities as Migration,
  '0101-experiments': experiments as Migration,
  '0102-forecast-records': forecastRecords as Migration,
  '0103-ids-of-tenants': idsOfTenants as Migration,
  '0104-analytics-marks': analyticsMarks as Migration,
  '0105-node-machines': nodeMachines as Migration,
};
