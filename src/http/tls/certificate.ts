import { createPrivateKey, KeyObject, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type * as Asn1Schema from '@peculiar/asn1-schema';
import type * as Asn1 from '@peculiar/asn1-x509';
import type * as X509 from '@peculiar/x509';
import ipaddr from 'ipaddr.js';

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3_650;
/** The longest life that browsers of all vendors accept for a server certificate is 398 days. */
const SERVER_DAYS = 397;
/** Certificates start this long before now, for clients whose clocks are a little behind. */
const BACKDATE_MS = 60 * 60 * 1000;
const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** A certificate and its private key (PKCS #8), both PEM. */
export interface KeyedCertificate {
  readonly certPem: string;
  readonly keyPem: string;
}

/**
 * Makes a local certificate authority (ECDSA P-256) that is good for 10 years and, by its name constraints, only for `hosts`,
 * subdomains of its names, and 127.0.0.0/8: trust in it covers only these.
 */
export async function makeAuthority(hosts: readonly string[], nowMs: number): Promise<KeyedCertificate> {
  const { x509 } = await loadLibrary();
  const keys = await makeKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ O: ['Placard'] }, { CN: [`Placard local CA ${randomBytes(4).toString('hex')}`] }],
    ...lifetime(nowMs, AUTHORITY_DAYS),
    keys,
    signingAlgorithm: ECDSA,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await nameConstraints(hosts),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certPem: `${certificate.toString('pem')}\n`, keyPem: exportPrivateKey(keys) };
}

/** Makes a server certificate (ECDSA P-256) for `hosts`, names and addresses, good for 397 days, signed by `authority`. */
export async function makeServerCertificate(
  authority: KeyedCertificate,
  hosts: readonly string[],
  nowMs: number,
): Promise<KeyedCertificate> {
  const { x509 } = await loadLibrary();
  const keys = await makeKeys();
  const signer = new x509.X509Certificate(authority.certPem);
  const certificate = await x509.X509CertificateGenerator.create({
    issuer: signer.subjectName,
    subject: [{ O: ['Placard'] }, { CN: ['Placard server'] }],
    ...lifetime(nowMs, SERVER_DAYS),
    publicKey: keys.publicKey,
    signingKey: importPrivateKey(authority.keyPem),
    signingAlgorithm: ECDSA,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((host) =>
          isIP(host) ? { type: 'ip' as const, value: fullAddress(host) } : { type: 'dns' as const, value: host },
        ),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(signer.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certPem: `${certificate.toString('pem')}\n`, keyPem: exportPrivateKey(keys) };
}

interface X509Library {
  readonly x509: typeof X509;
  readonly asn1: typeof Asn1;
  readonly asn1Schema: typeof Asn1Schema;
}

let library: Promise<X509Library> | undefined;

/** Loads the certificate library at its first use (60 ms, 23 MB): a start that finds its certificate never does. */
function loadLibrary(): Promise<X509Library> {
  library ??= importLibrary();
  return library;
}

/**
 * The library's injection container refuses to load without `Reflect.getMetadata`, but no class of the library has anything
 * injected: it asks, and "none" is the right result. Both values are removed again, so that no global stays changed.
 */
async function importLibrary(): Promise<X509Library> {
  const names = ['getMetadata', 'getOwnMetadata'].filter((name) => !Reflect.has(Reflect, name));
  for (const name of names) Reflect.defineProperty(Reflect, name, { value: () => undefined, configurable: true });
  try {
    const x509 = await import('@peculiar/x509');
    return { x509, asn1: await import('@peculiar/asn1-x509'), asn1Schema: await import('@peculiar/asn1-schema') };
  } finally {
    for (const name of names) Reflect.deleteProperty(Reflect, name);
  }
}

/** RFC 5280 section 4.2.1.10, permitted subtrees only: each name with its subdomains, each address alone, all of 127.0.0.0/8. */
async function nameConstraints(hosts: readonly string[]): Promise<X509.Extension> {
  const { x509, asn1, asn1Schema } = await loadLibrary();
  const names = hosts.filter((host) => !isIP(host));
  const addresses = hosts.filter((host) => isIP(host) && !host.startsWith('127.')).map(fullAddress);
  const ranges = ['127.0.0.0/8', ...addresses.map((address) => `${address}/${isIP(address) === 6 ? 128 : 32}`)];
  const bases = [
    ...names.map((dNSName) => new asn1.GeneralName({ dNSName })),
    ...ranges.map((iPAddress) => new asn1.GeneralName({ iPAddress })),
  ];
  const permittedSubtrees = new asn1.GeneralSubtrees(bases.map((base) => new asn1.GeneralSubtree({ base })));
  const value = asn1Schema.AsnConvert.serialize(new asn1.NameConstraints({ permittedSubtrees }));
  return new x509.Extension(asn1.id_ce_nameConstraints, true, value);
}

/** The library's view of Web Crypto keys: the browser's types, which know fewer key usages than Node's. */
type KeyPair = X509.X509CertificateCreateSelfSignedParams['keys'];

async function makeKeys(): Promise<KeyPair> {
  return (await crypto.subtle.generateKey(ECDSA, true, ['sign', 'verify'])) as KeyPair;
}

function importPrivateKey(keyPem: string): KeyPair['privateKey'] {
  return createPrivateKey(keyPem).toCryptoKey(ECDSA, false, ['sign']) as KeyPair['privateKey'];
}

function exportPrivateKey(keys: KeyPair): string {
  return KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
}

function lifetime(nowMs: number, days: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(nowMs - BACKDATE_MS), notAfter: new Date(nowMs + days * DAY_MS) };
}

/** Written out in full: the library misreads an IPv6 address that ends in dotted form. */
function fullAddress(address: string): string {
  return ipaddr.parse(address).toNormalizedString();
}
