import type { NounFacts } from '../../tables/noun-facts.ts';

export const authNouns = {
  user: {
    idPrefix: 'usr',
    eventScope: 'organization',
    events: {
      'user.login_succeeded': { webhook: false, severity: 'info', ocsf: ['AUTHENTICATION', 'LOGON'], when: 'A person signed in.' },
      'user.login_failed': { webhook: false, severity: 'warning', ocsf: ['AUTHENTICATION', 'LOGON'], when: 'A sign-in failed.' },
      'user.logged_out': { webhook: false, severity: 'info', ocsf: ['AUTHENTICATION', 'LOGOFF'], when: 'A person signed out.' },
      'user.mfa_enrolled': {
        webhook: false,
        severity: 'info',
        ocsf: ['ACCOUNT_CHANGE', 'MFA_ENABLE'],
        when: 'A person enrolled a second factor for the first time.',
      },
      'user.mfa_factor_added': {
        webhook: false,
        severity: 'info',
        ocsf: ['ACCOUNT_CHANGE', 'MFA_ENABLE'],
        when: 'A person added another second factor.',
      },
      'user.mfa_factor_removed': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ACCOUNT_CHANGE', 'MFA_DISABLE'],
        when: 'A person removed a second factor.',
      },
      'user.mfa_recovery_codes_regenerated': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ACCOUNT_CHANGE', 'OTHER'],
        when: 'A person replaced the recovery codes.',
      },
      'user.mfa_device_approval_requested': {
        webhook: false,
        severity: 'info',
        ocsf: ['AUTHENTICATION', 'OTHER'],
        when: 'A sign-in asked a trusted device for approval.',
      },
      'user.mfa_device_approval_decided': {
        webhook: false,
        severity: 'info',
        ocsf: ['AUTHENTICATION', 'OTHER'],
        when: 'A trusted device approved or refused a sign-in.',
      },
      'user.step_up_completed': {
        webhook: false,
        severity: 'info',
        ocsf: ['AUTHENTICATION', 'OTHER'],
        when: 'A person completed a step-up.',
      },
      'user.password_changed': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ACCOUNT_CHANGE', 'PASSWORD_CHANGE'],
        when: 'A person changed their password.',
      },
      'user.identity_linked': {
        webhook: false,
        severity: 'info',
        ocsf: ['ACCOUNT_CHANGE', 'OTHER'],
        when: 'An identity of a provider was linked to a person.',
      },
      'user.identity_unlinked': {
        webhook: false,
        severity: 'info',
        ocsf: ['ACCOUNT_CHANGE', 'OTHER'],
        when: 'An identity of a provider was unlinked from a person.',
      },
      'user.profile_updated': {
        webhook: false,
        severity: 'info',
        ocsf: ['ACCOUNT_CHANGE', 'OTHER'],
        when: 'A person changed their profile.',
      },
    },
  },
  sign_up: {
    idPrefix: 'sgn',
  },
  mail: {
    idPrefix: 'mal',
  },
  page_file: {
    words: { asset: 'page asset' },
  },
} as const satisfies Record<string, NounFacts>;
