import type { KeyObject } from 'node:crypto';
import type { WordOf } from '@svc/contract/tables/settings.ts';
import { newUserCodes } from '@svc/keyring/codes/user-codes.ts';
import { deriveFactorKeys } from '@svc/keyring/factors/factor-keys.ts';
import { deriveRelyingParty } from '@svc/keyring/factors/relying-party.ts';
import { newPasswords } from '@svc/keyring/passwords/password.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import { getNewSignUpDesk } from '@svc/operations/people/auth/founding/sign-up-desk.ts';
import { openMailOutbox } from '@svc/operations/people/mail/open-mail-service.ts';
import { listResetKeys } from '@svc/operations/people/passwords/reset-codes.ts';
import { newStepUpLane } from './auth/step-up/step-up-proofs.ts';
import type { PeopleDeps, PeopleSettings } from './deps.ts';
import { openSso } from './sso/oidc/open-sso.ts';

type Settings = PeopleSettings & {
  readonly masterKey: KeyObject;
  readonly mailKind: WordOf<'SVC_MAIL'>;
  readonly saml: boolean;
  readonly egress: { readonly timeoutMs: number; readonly allowCidrs: readonly string[]; readonly nameServers: readonly string[] };
};

type Needs = Pick<PeopleDeps, 'clock' | 'identity' | 'rateLimiter' | 'urls'> & { readonly settings: Settings };

/** Opens sign-in, mail and single sign-on. */
export const openPeople = ({ settings, clock, identity, rateLimiter, urls }: Needs) => {
  const { masterKey } = settings;
  const passwords = newPasswords();
  const mail = openMailOutbox({ kind: settings.mailKind, masterKey, service: () => urls.base });
  const sso = openSso({ ...settings.egress, saml: settings.saml, sealingKey: deriveKey(masterKey, 'sso-secret-sealing') });
  const deps: PeopleDeps = {
    settings,
    clock,
    identity,
    passwords,
    stepUpLane: newStepUpLane(passwords),
    userCodes: newUserCodes(deriveKey(masterKey, 'user-codes')),
    deviceKey: deriveKey(masterKey, 'device-cookies'),
    factors: {
      identity,
      keys: deriveFactorKeys(masterKey),
      // The address is only known once the plane listens.
      get party() {
        return deriveRelyingParty(urls.base);
      },
    },
    resetKeys: listResetKeys(masterKey),
    signUps: getNewSignUpDesk(masterKey),
    mail,
    sso,
    rateLimiter,
    urls,
  };
  return { deps, close: sso.close };
};
