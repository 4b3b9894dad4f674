import type { FastifyReply } from 'fastify';

/** Aborted when the client hangs up before it has its response. */
export function watchClient(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const abort = (): void => gone.abort(new Error('The client hung up'));
  if (reply.raw.destroyed) abort();
  else reply.raw.once('close', abort);
  return gone.signal;
}
