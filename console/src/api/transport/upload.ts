import { NETWORK_HEADER } from './graphql.ts';
import { ApiProblem } from './problem.ts';
import { pathPrefix, type Scope } from './scope.ts';
import { askingAgain } from './verification.ts';

/** A body on its way to a path of the network, such as `/assets`. */
export interface Upload {
  readonly path: string;
  readonly contentType: string;
  readonly body: Blob | string;
}

/**
 * Uploads a body.
 * @param onProgress told of the share that was sent, 0…1
 * @throws ApiProblem
 */
export function uploadBody<T>(scope: Scope, upload: Upload, onProgress: (share: number) => void): Promise<T> {
  return askingAgain(() => sendBody<T>(scope, upload, onProgress));
}

/** The older way: fetch does not report the progress of a body. */
function sendBody<T>(
  scope: Scope,
  { path, contentType, body }: Upload,
  onProgress: (share: number) => void,
): Promise<T> {
  const request = new XMLHttpRequest();
  request.open('POST', `${pathPrefix(scope.environment)}${path}`);
  request.setRequestHeader('content-type', contentType);
  request.setRequestHeader(NETWORK_HEADER, scope.networkId);
  return new Promise((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total));
    request.addEventListener('error', () => reject(new ApiProblem({ code: 'offline', message: '', status: 0 })));
    request.addEventListener('load', () => {
      const response = parse(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(response as T);
      else
        reject(
          new ApiProblem({
            code: textOf(response['error']) ?? `http_${request.status}`,
            message: textOf(response['message']) ?? '',
            status: request.status,
          }),
        );
    });
    request.send(body);
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
