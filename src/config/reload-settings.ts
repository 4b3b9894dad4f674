import { type SettingSpec, type Settings, settingsTable } from './settings-table.ts';

/** What a reload found, as names of variables. */
export interface Reload {
  /** They have their new values. */
  readonly changed: readonly string[];
  /** They keep their old values until the next start. */
  readonly needRestart: readonly string[];
}

/** A copy of settings that `reloadSettings` may change, so that its holders read the present values. */
export function copySettings(settings: Settings): Settings {
  return { ...settings };
}

/**
 * Copies the settings that can change at run time from `next` to `live`, which `copySettings` or a start message made.
 */
export function reloadSettings(live: Settings, next: Settings): Reload {
  const changed: string[] = [];
  const needRestart: string[] = [];
  const fields = Object.entries(settingsTable) as [keyof Settings, SettingSpec][];
  for (const [field, { name, reload }] of fields) {
    if (JSON.stringify(live[field]) === JSON.stringify(next[field])) continue;
    if (reload === true) Object.assign(live, { [field]: next[field] });
    (reload === true ? changed : needRestart).push(name);
  }
  return { changed, needRestart };
}
