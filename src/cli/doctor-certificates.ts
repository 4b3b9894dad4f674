import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { describeError, type Finding, findFailure, findOk, findWarning } from './finding.ts';

const dayMs = 86_400_000;
const warnDays = 21;
const certificateFilesMax = 20;

/** The certificates in use: readable, matching their key, and not about to expire. */
export function checkCertificates(settings: Settings, nowMs: number): Finding[] {
  const { tls, tlsCertFile, tlsKeyFile, dataDir } = settings;
  if (tls === 'loopback')
    return [findWarning('tls', 'plain HTTP on 127.0.0.1', 'use another PLACARD_TLS outside of development')];
  if (tls === 'proxy') return [findOk('tls', `ended by a proxy at ${settings.trustedProxies.join(', ')}`)];
  if (tls === 'files') {
    const findings = [checkCertificate(tlsCertFile ?? '', nowMs, 'renew the certificate and restart')];
    return [...findings, ...checkKey(tlsCertFile ?? '', tlsKeyFile ?? '')];
  }
  const folder = join(dataDir, 'tls');
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => /\.(?:pem|crt)$/.test(name)) : [];
  const certificates = files.filter((name) => !/key/.test(name)).slice(0, certificateFilesMax);
  if (certificates.length === 0) return [findOk('tls', 'a local CA and certificate are made at the first start')];
  return certificates.map((name) => checkCertificate(join(folder, name), nowMs, 'restart Placard: it renews its own'));
}

function checkCertificate(path: string, nowMs: number, advice: string): Finding {
  try {
    const certificate = new X509Certificate(readFileSync(path));
    const untilMs = certificate.validToDate.getTime();
    const days = Math.floor((untilMs - nowMs) / dayMs);
    const message = `${path} is valid until ${certificate.validToDate.toISOString().slice(0, 10)}`;
    if (certificate.validFromDate.getTime() > nowMs) {
      return findFailure('certificate', `${path} is not valid yet`, 'check the clock, or wait');
    }
    if (untilMs <= nowMs) return findFailure('certificate', `${path} has expired`, advice);
    return days < warnDays ? findWarning('certificate', message, advice) : findOk('certificate', message);
  } catch (error) {
    return findFailure('certificate', `${path}: ${describeError(error)}`, 'name a readable PEM file');
  }
}

function checkKey(certificatePath: string, keyPath: string): Finding[] {
  try {
    const key = createPrivateKey(readFileSync(keyPath));
    const certificate = new X509Certificate(readFileSync(certificatePath));
    if (certificate.checkPrivateKey(key)) return [findOk('private key', `${keyPath} fits the certificate`)];
    const advice = 'name the key that the certificate was made for in PLACARD_TLS_KEY_FILE';
    return [findFailure('private key', `${keyPath} does not fit the certificate`, advice)];
  } catch (error) {
    return [findFailure('private key', `${keyPath}: ${describeError(error)}`, 'name a readable PEM file')];
  }
}
