import { AdcpError } from './adcp-error.ts';

/** Releases of the protocol that this seller speaks, oldest first. */
export const SUPPORTED_VERSIONS = ['3.1'] as const;
/** Major versions of those releases. */
export const MAJOR_VERSIONS = [3] as const;
/** The release that every response is in. */
export const SERVED_VERSION = SUPPORTED_VERSIONS[0];

/**
 * Checks the release that a request asks for. Releases of one major version are compatible: each of them is served in the one that this seller speaks.
 *
 * @throws AdcpError `VERSION_UNSUPPORTED` with the supported releases
 */
export function negotiateVersion(request: Readonly<Record<string, unknown>>): void {
  const major = request['adcp_major_version'];
  const release = request['adcp_version'];
  if (major !== undefined && !isServedMajor(major)) throw unsupported(major);
  if (release === undefined) return;
  const match = typeof release === 'string' ? /^(\d{1,4})\.\d{1,4}(?:-[\w.-]{1,40})?$/.exec(release) : null;
  if (match === null || !isServedMajor(Number(match[1]))) throw unsupported(release);
}

function isServedMajor(major: unknown): boolean {
  return (MAJOR_VERSIONS as readonly unknown[]).includes(major);
}

function unsupported(asked: unknown): AdcpError {
  const shown = JSON.stringify(asked).slice(0, 40);
  return new AdcpError(
    'VERSION_UNSUPPORTED',
    `This seller does not speak version ${shown} of the protocol. It speaks ${SUPPORTED_VERSIONS.join(', ')}.`,
    { details: { supported_versions: SUPPORTED_VERSIONS, supported_majors: MAJOR_VERSIONS } },
  );
}
