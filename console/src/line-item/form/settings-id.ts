/** The element of the settings of a line item. */
export const SETTINGS_ID = 'item-settings';
