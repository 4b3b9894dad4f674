/**
 * Codes of failures of one connection, one stream or one call to another program. They come as events of their own, when no code of
 * ours is half-way through a change, so that nothing of this process is in doubt.
 */
const STRAY: readonly RegExp[] = [
  /^(ECONNRESET|ECONNREFUSED|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/,
  // The system refused one file, one connection or one write.
  /^(EMFILE|ENFILE|ENOSPC|EDQUOT|EIO|EROFS)$/,
  /^ERR_(HTTP|HTTP2|STREAM|SSL|TLS|SOCKET|ZLIB)_/,
  /^ERR_STRING_TOO_LONG$/,
  /^HPE_/,
  /^Z_\w+_ERROR$/,
  /^UND_ERR_/,
  /^(ABORT_ERR|ERR_CANCELED)$/,
];

/** Whether an uncaught error is a stray one: the process may serve on, as only one request has failed. */
export function isStrayError(error: unknown): boolean {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  if (name === 'AbortError') return true;
  return typeof code === 'string' && STRAY.some((pattern) => pattern.test(code));
}
