/** Set-up of tests: all English texts are loaded, because no page loads its areas there. */
import { AREA_NAMES } from './areas.ts';
import { loadAreas } from './language.ts';

await loadAreas(AREA_NAMES);
