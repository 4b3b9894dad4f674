import { reloadSettings } from '../../config/reload-settings.ts';
import { SettingsError } from '../../config/settings.ts';
import type { SuperviseOptions } from './supervise-options.ts';

/** Reads the settings again and logs the names of changed ones. A problem changes nothing. */
export function readSettingsAgain({
  settings,
  readSettings,
  log,
}: Pick<SuperviseOptions, 'settings' | 'readSettings' | 'log'>): void {
  if (readSettings === undefined) return;
  try {
    const { changed, needRestart } = reloadSettings(settings, readSettings());
    if (changed.length > 0) log.event('settings.reloaded', { names: changed });
    if (needRestart.length > 0) log.event('settings.need_restart', { names: needRestart });
  } catch (error) {
    const problems = error instanceof SettingsError ? error.problems : [];
    log.event('settings.not_reloaded', {
      problems: problems.map(({ name, message }) => `${name}: ${message}`),
      ...(problems.length === 0 ? { err: error } : {}),
    });
  }
}
