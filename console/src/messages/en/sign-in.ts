/** Texts of signing in, of passkeys and of providers. */
export const EN_SIGN_IN = {
  'account.name': 'Your name',
  'account.new_password': 'New password',
  'account.password_hint': 'At least 12 characters; a few random words are good.',

  'confirm_address.confirm': 'Confirm the address',
  'confirm_address.done': 'You sign in with {email} from now on. Your other sessions have ended.',
  'confirm_address.text': 'Confirm that you use this e-mail address from now on. You must be signed in to the account.',
  'confirm_address.title': 'New e-mail address',

  'forgot.back': 'Back to sign-in',
  'forgot.no_mail': 'This installation sends no mail. Ask your operator for a link to a new password.',
  'forgot.send': 'Send the link',
  'forgot.sent':
    'If {email} has an account, a mail with a link is on its way. The link works once, for an hour. Check the spam folder too.',
  'forgot.text': 'You get a mail with a link to a new password.',
  'forgot.title': 'Forgot your password?',

  'identity.connect': 'Connect {name}',
  'identity.none': 'No service is connected.',
  'identity.provider': 'Service',
  'identity.problem':
    'The service was not connected: it did not confirm your identity, or is connected to another account.',
  'identity.text': 'A connected service signs you in without your password.',
  'identity.title': 'Connected services',

  'invitation.has_account': 'Already have an account with this address?',
  'invitation.make_account': 'Create account and accept',
  'invitation.set_password': 'Set password',
  'invitation.sign_in_first': 'Sign in to accept',
  'invitation.title': 'Invitation',
  'invitation.password_title': 'Choose a new password',
  'invitation.no_token': 'This link is incomplete. Open the whole link that you were given.',
  'invitation.join_text': '{email} is invited to {network} as {role}.',
  'invitation.account_text': '{email} is invited to Placard.',
  'invitation.password_text': 'Choose a new password for {email}.',

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

  'sign_in.link_ended': 'This link was used already, or has expired. Sign in with your password.',
  'sign_in.or': 'or',
  'sign_in.problem.not_connected':
    'No account is connected to that sign-in. If you have an account, sign in to it and connect the service under Account and sessions; otherwise ask for an invitation.',
  'sign_in.problem.other': 'The sign-in service did not respond correctly. Try again.',
  'sign_in.with': 'Continue with {name}',
  'sign_in.title': 'Sign in',
  'sign_in.code_hint': 'Six digits of your authenticator app, or a recovery code.',
  'sign_in.help': 'No account? An admin of your network can invite you.',
} as const;
