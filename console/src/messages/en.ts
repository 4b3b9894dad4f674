import { EN_AUDIENCE } from './en-audience.ts';
import { EN_BOOKING } from './en-booking.ts';
import { EN_CATALOG } from './en-catalog.ts';
import { EN_DESK } from './en-desk.ts';
import { EN_DESK_TABLE } from './en-desk-table.ts';
import { EN_INSPECTOR } from './en-inspector.ts';
import { EN_INTEGRATE } from './en-integrate.ts';
import { EN_INVENTORY } from './en-inventory.ts';
import { EN_LENS } from './en-lens.ts';
import { EN_MEMBERS } from './en-members.ts';
import { EN_SETTINGS } from './en-settings.ts';
import { EN_SIGN_IN } from './en-sign-in.ts';
import { EN_STUDIO } from './en-studio.ts';
import { EN_TEAM } from './en-team.ts';

/** Every text that a person reads, by name. A translation is another object with the same names. */
export const EN = {
  ...EN_AUDIENCE,
  ...EN_BOOKING,
  ...EN_CATALOG,
  ...EN_DESK,
  ...EN_DESK_TABLE,
  ...EN_INSPECTOR,
  ...EN_INTEGRATE,
  ...EN_INVENTORY,
  ...EN_LENS,
  ...EN_MEMBERS,
  ...EN_SETTINGS,
  ...EN_SIGN_IN,
  ...EN_STUDIO,
  ...EN_TEAM,

  'a11y.menu': 'Menu',
  'a11y.navigation': 'Pages',
  'a11y.skip': 'Skip to content',

  'action.accept': 'Accept',
  'action.cancel': 'Cancel',
  'action.clear': 'Clear',
  'action.close': 'Close',
  'action.continue': 'Continue',
  'action.copy': 'Copy',
  'action.delete': 'Delete',
  'action.done': 'Done',
  'action.edit': 'Edit',
  'action.filter': 'Filter',
  'action.more': 'Show more',
  'action.reload': 'Reload the page',
  'action.retry': 'Try again',
  'action.save': 'Save',
  'action.share': 'Share',
  'action.sign_in': 'Sign in',
  'action.sign_out': 'Sign out',

  'confirm.type': 'Type “{name}” to confirm',

  'error.unexpected': 'Something went wrong in this page. Reload it; if it stays, tell your operator.',
  'error.offline': 'The server did not respond. Check the connection, then try again.',
  'error.page_not_loaded':
    'This page did not load. The server is down, or there is a new version: load everything again.',
  'error.request_id': '(Request {id})',
  'error.authentication_required': 'You are signed out. Sign in again.',
  'error.insufficient_permissions': 'Your role in this network does not allow this.',
  'error.unknown_network': 'You are not a member of this network, or it has no such environment.',
  'error.csrf_refused': 'The browser sent this from another site. Open the console itself and try again.',
  'error.rate_limit_exceeded': 'The limit of this network is used up. Try again in {seconds} seconds.',
  'error.query_timeout': 'The query took too long. Narrow the dates or take dimensions away, or try again.',
  'error.overloaded': 'The server is busy. Try again in a moment.',
  'error.unavailable': 'A part of the service is unavailable. Try again in a moment.',
  'error.internal_error': 'The server failed at this. Try again; if it stays, tell your operator.',

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

  'language.title': 'Language',

  'nav.account': 'Account and sessions',
  'nav.api_keys': 'API keys',
  'nav.audit': 'Audit log',
  'nav.cluster': 'Cluster',
  'nav.credentials': 'Report credentials',
  'nav.dashboards': 'Dashboards',
  'nav.lens': 'Reports Lens',
  'nav.limits': 'Limits',
  'nav.network': 'Network',
  'nav.reports': 'Reports',
  'nav.settings': 'Settings',
  'nav.users': 'Users',

  'palette.nothing': 'Nothing found',
  'palette.open': 'Search commands',
  'palette.placeholder': 'Search pages and commands',
  'palette.to_network': 'Switch to {name}',
  'palette.to_production': 'Switch to production',
  'palette.to_staging': 'Switch to staging',

  'scheme.to_dark': 'Dark colours',
  'scheme.to_light': 'Light colours',

  'scope.environment': 'Environment',
  'scope.network': 'Network',
  'scope.none': 'You are not a member of any network yet. Ask an admin for an invitation.',
  'scope.production': 'Production',
  'scope.staging': 'Staging',

  'shortcuts.title': 'Keyboard shortcuts',
  'shortcuts.single_keys': 'Use single-key shortcuts',

  'sign_in.title': 'Sign in',
  'sign_in.email': 'E-mail address',
  'sign_in.password': 'Password',
  'sign_in.show_password': 'Show or hide the password',
  'sign_in.code': 'Code',
  'sign_in.code_hint': 'Six digits of your authenticator app, or a recovery code.',
  'sign_in.help': 'No account? An admin of your network can invite you.',

  'state.broken': 'This page could not be shown',
  'state.failed': 'That did not work',
  'state.loading': 'Loading…',
  'state.not_found': 'There is nothing at this address',
  'state.saved': 'Saved',
  'state.unknown_network': 'Network {id} is not one of yours',

  'user.menu': 'Your account',

  'value.never': 'Never',
  'value.no': 'No',
  'value.none': '(none)',
  'value.none_measure': '–',
  'value.week_of': 'Week of {date}',
  'value.yes': 'Yes',
} as const;
