import type { Settings } from '../../config/settings.ts';
import type { TlsSettings } from '../../http/tls/tls.ts';
import type { Endpoints } from '../supervisor/part.ts';

/** The TLS options of the HTTP module, from the program's settings. */
export function tlsSettings(settings: Settings, endpoints: Endpoints): TlsSettings {
  return {
    mode: settings.tls,
    publicUrls: [endpoints.corePublicUrl, endpoints.deliveryPublicUrl],
    ...(settings.tlsCertFile === null ? {} : { certFile: settings.tlsCertFile }),
    ...(settings.tlsKeyFile === null ? {} : { keyFile: settings.tlsKeyFile }),
  };
}
