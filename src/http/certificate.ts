import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import {
  DER_TRUE,
  derBits,
  derContext,
  derInteger,
  derObjectId,
  derOctets,
  derSequence,
  derSet,
  derText,
  derTime,
  derValue,
} from './der.ts';

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3_650;
/** The longest life that browsers of all vendors accept for a server certificate is 398 days. */
const SERVER_DAYS = 397;
/** Certificates start this long before now, for clients whose clocks are a little behind. */
const BACKDATE_MS = 60 * 60 * 1000;

const OID = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  subjectAltName: '2.5.29.17',
  nameConstraints: '2.5.29.30',
  subjectKeyId: '2.5.29.14',
  authorityKeyId: '2.5.29.35',
} as const;

/** A certificate and its private key (PKCS #8), both PEM. */
export interface KeyedCertificate {
  readonly certPem: string;
  readonly keyPem: string;
}

/**
 * Makes a local certificate authority (ECDSA P-256) that is good for 10 years and, by its name constraints, only for `hosts`,
 * subdomains of its names, and 127.0.0.0/8: whoever trusts it trusts it for nothing else.
 */
export function makeAuthority(hosts: readonly string[], nowMs: number): KeyedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const mark = createHash('sha256').update(randomBytes(16)).digest('hex').slice(0, 8);
  const name = encodeName(`Placard local CA ${mark}`);
  const extensions = [
    encodeExtension(OID.basicConstraints, true, derSequence(DER_TRUE, derInteger(Buffer.from([0])))),
    encodeExtension(OID.keyUsage, true, derBits(Buffer.from([0b0000_0110]), 1)),
    encodeExtension(OID.nameConstraints, true, encodeNameConstraints(hosts)),
    encodeExtension(OID.subjectKeyId, false, derOctets(keyId(publicKey))),
  ];
  const untilMs = nowMs + AUTHORITY_DAYS * DAY_MS;
  return issue({
    issuer: name,
    subject: name,
    nowMs,
    untilMs,
    publicKey,
    privateKey,
    signingKey: privateKey,
    extensions,
  });
}

/** Makes a server certificate (ECDSA P-256) for `hosts`, names and addresses, good for 397 days, signed by `authority`. */
export function makeServerCertificate(
  authority: KeyedCertificate,
  hosts: readonly string[],
  nowMs: number,
): KeyedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signer = new X509Certificate(authority.certPem);
  const authorityKeyId = derSequence(
    derValue(0x80, keyId(createPublicKey(signer.publicKey.export({ type: 'spki', format: 'pem' })))),
  );
  const extensions = [
    encodeExtension(OID.basicConstraints, true, derSequence()),
    encodeExtension(OID.keyUsage, true, derBits(Buffer.from([0b1000_0000]), 7)),
    encodeExtension(OID.extendedKeyUsage, false, derSequence(derObjectId(OID.serverAuth))),
    encodeExtension(OID.subjectAltName, false, derSequence(...hosts.map(encodeHost))),
    encodeExtension(OID.authorityKeyId, false, authorityKeyId),
    encodeExtension(OID.subjectKeyId, false, derOctets(keyId(publicKey))),
  ];
  return issue({
    issuer: encodeName(/^CN=(.+)$/m.exec(signer.subject)?.[1] ?? ''),
    subject: encodeName('Placard server'),
    nowMs,
    untilMs: nowMs + SERVER_DAYS * DAY_MS,
    publicKey,
    privateKey,
    signingKey: createPrivateKey(authority.keyPem),
    extensions,
  });
}

interface CertificateParts {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly nowMs: number;
  readonly untilMs: number;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  readonly signingKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

/** RFC 5280 section 4.1: Certificate ::= SEQUENCE { tbsCertificate, signatureAlgorithm, signatureValue }. */
function issue(parts: CertificateParts): KeyedCertificate {
  const algorithm = derSequence(derObjectId(OID.ecdsaWithSha256));
  const toBeSigned = derSequence(
    derContext(0, derInteger(Buffer.from([2]))),
    derInteger(randomBytes(16)),
    algorithm,
    parts.issuer,
    derSequence(derTime(parts.nowMs - BACKDATE_MS), derTime(parts.untilMs)),
    parts.subject,
    parts.publicKey.export({ type: 'spki', format: 'der' }),
    derContext(3, derSequence(...parts.extensions)),
  );
  const signature = sign('sha256', toBeSigned, parts.signingKey);
  const certificate = derSequence(toBeSigned, algorithm, derBits(signature));
  return {
    certPem: new X509Certificate(certificate).toString(),
    keyPem: parts.privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
}

function encodeName(commonName: string): Buffer {
  const attribute = (oid: string, text: string): Buffer => derSet(derSequence(derObjectId(oid), derText(text)));
  return derSequence(attribute(OID.organization, 'Placard'), attribute(OID.commonName, commonName));
}

function encodeExtension(oid: string, critical: boolean, value: Buffer): Buffer {
  return derSequence(derObjectId(oid), ...(critical ? [DER_TRUE] : []), derOctets(value));
}

/** RFC 5280 section 4.2.1.2, method 1: SHA-1 of the public key bits (the last 65 bytes of a P-256 SPKI). */
function keyId(publicKey: KeyObject): Buffer {
  const bits = publicKey.export({ type: 'spki', format: 'der' }).subarray(-65);
  return createHash('sha1').update(bits).digest();
}

/** GeneralName: dNSName [2] or iPAddress [7]. */
function encodeHost(host: string): Buffer {
  return isIP(host) ? derValue(0x87, addressBytes(host)) : derValue(0x82, Buffer.from(host, 'ascii'));
}

/** RFC 5280 section 4.2.1.10, permitted subtrees only: each name with its subdomains, each address alone, all of 127.0.0.0/8. */
function encodeNameConstraints(hosts: readonly string[]): Buffer {
  const names = hosts.filter((host) => !isIP(host));
  const addresses = hosts.filter((host) => isIP(host) && !host.startsWith('127.'));
  const loopback = derValue(0x87, Buffer.from([127, 0, 0, 0, 255, 0, 0, 0]));
  const bases = [
    ...names.map(encodeHost),
    loopback,
    ...addresses.map((address) => derValue(0x87, addressWithMask(address))),
  ];
  return derSequence(derContext(0, ...bases.map((base) => derSequence(base))));
}

function addressWithMask(address: string): Buffer {
  const bytes = addressBytes(address);
  return Buffer.concat([bytes, Buffer.alloc(bytes.length, 0xff)]);
}

function addressBytes(address: string): Buffer {
  return Buffer.from(ipaddr.parse(address).toByteArray());
}
