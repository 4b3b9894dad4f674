/** Whether a backup's location is the address of a bucket; else it is a folder. */
export function isBucketAddress(location: string): boolean {
  return /^https?:\/\//.test(location);
}
