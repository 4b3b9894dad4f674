/** What storage quotas count. They exist for their translations: in English, the titles of the server are shown. */
export const EN_QUOTAS = {
  'quota.assetBytes': 'Uploaded files',
  'quota.bulkJobBytes': 'Rows and results of bulk jobs',
  'quota.bulkJobs': 'Bulk jobs that wait or run',
  'quota.objects': 'Objects of the largest kind',
  'quota.reportBytes': 'Finished report files',
  'quota.savedViews': 'Saved views',
  'quota.schedules': 'Report schedules',
  'quota.segmentMembers': 'Uploaded segment members',
  'quota.webhooks': 'Webhooks',
} as const;
