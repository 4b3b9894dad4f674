/** Texts of signing in, of passkeys and of providers. */
export const EN_SIGN_IN = {
  'error.passkey_failed': 'The browser did not provide a passkey. Try again, or use another method.',
  'error.verification_required': 'This action needs your confirmation. Try again and confirm that it is you.',

  'identity.connect': 'Connect {name}',
  'identity.none': 'No service is connected.',
  'identity.provider': 'Service',
  'identity.problem':
    'The service was not connected: it did not confirm your identity, or is connected to another account.',
  'identity.text': 'A connected service signs you in without your password.',
  'identity.title': 'Connected services',

  'passkey.add': 'Add passkey',
  'passkey.add_text': 'Your browser asks for a fingerprint, a face, a PIN or a security key, and keeps the passkey.',
  'passkey.last_used': 'Last used',
  'passkey.none': 'No passkeys.',
  'passkey.remove': 'Remove {name}',
  'passkey.sign_in': 'Continue with a passkey',
  'passkey.since': 'Added',
  'passkey.text': 'A passkey signs you in without a password, and replaces the code of the second factor.',
  'passkey.title': 'Passkeys',
  'passkey.unavailable': 'Passkeys need an address with a host name; ask your operator.',
  'passkey.use': 'Use a passkey',

  'provider.callback': 'Redirect address',
  'provider.clientId': 'Client ID',
  'provider.clientSecret': 'Client secret',
  'provider.issuer': 'Issuer',
  'provider.name': 'Name on the sign-in page',
  'provider.save': 'Save provider',
  'provider.secret_stays': 'Leave it empty to keep the current secret.',
  'provider.text':
    'An OpenID Connect provider for people of this network. Register this address there. Its sessions open this network only.',
  'provider.title': 'Sign-in provider',

  'sign_in.or': 'or',
  'sign_in.problem.not_connected':
    'No account is connected to that sign-in. If you have an account, sign in to it and connect the service under Account and sessions; otherwise ask for an invitation.',
  'sign_in.problem.other': 'The sign-in service did not respond correctly. Try again.',
  'sign_in.with': 'Continue with {name}',

  'verify.nothing': 'This account has no password and no passkey. Sign in again, or set a password with a link.',
  'verify.provider': 'Sign in at the service again',
  'verify.text': 'Confirm that it is you to continue. You will not be asked again for ten minutes.',
  'verify.title': 'Confirm it is you',
} as const;
