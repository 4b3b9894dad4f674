/** The two parts that `placard serve` runs besides the stores, each joined from the rooms in `compose/`. */
export { runCore } from './compose/core.ts';
export { runDelivery } from './compose/delivery.ts';
