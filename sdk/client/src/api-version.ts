/** The version of the management API that this client is written for. Generated with schema.ts; do not edit. */
export const API_VERSION = '2026-11-29';
