import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { invite } from '@svc/testing/people/invite.ts';
import { getCodeTo } from '@svc/testing/people/read-mails.ts';
import { beginSignIn, computeTotpCode, type EnrolledTotp, stepUpAndEnrol, waitForWithinStep } from '@svc/testing/people/second-factors.ts';
import { newTenant, type SignedUp, signUp, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { approve, startTerminal, type Terminal } from '@svc/testing/people/terminal.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

/** A user with every kind of secret that can be mistyped, each valid and unused. */
export type SecretOwner = {
  readonly url: string;
  readonly tenant: Tenant;
  readonly factored: SignedUp & EnrolledTotp;
  readonly challenge: string;
  readonly totp: string;
  /** A TOTP secret that waits for its first code. */
  readonly enrolling: { readonly token: string; readonly id: string; readonly code: string; readonly secret: string };
  readonly signUp: { readonly email: string; readonly code: string };
  readonly reset: { readonly email: string; readonly code: string };
  readonly invitation: { readonly email: string; readonly code: string };
  readonly device: Terminal;
  readonly loopback: { readonly terminal: Terminal; readonly code: string };
  readonly key: string;
  readonly scimToken: string;
};

let places = 0;

/** Replaces the TOTP codes with current ones, however long the preparation took. */
export const withCodesOfNow = async (place: SecretOwner): Promise<SecretOwner> => {
  await waitForWithinStep();
  const { factored, enrolling } = place;
  return { ...place, totp: computeTotpCode(factored.secret), enrolling: { ...enrolling, code: computeTotpCode(enrolling.secret) } };
};

const newEnrolling = async (url: string): Promise<SecretOwner['enrolling']> => {
  const person = await signUp(url);
  await stepUp(url, person);
  const { id, secret } = await newControlClient(url, person.token).enrolTotp({ body: { name: 'Phone' } });
  return { token: person.token, id, code: computeTotpCode(secret), secret };
};

const newCodes = async (url: string, owner: pg.Client, tenant: Tenant, word: string) => {
  const email = `spelled-${word}@example.com`;
  const body = { email, password: 'a phrase of nobody in particular', name: 'Speller', organizationName: 'Spelling' };
  await newControlClient(url).startSignup({ body });
  const forgetful = await signUp(url);
  await newControlClient(url).startPasswordReset({ body: { email: forgetful.email } });
  const invited = { email: `invited-${word}@example.com`, role_id: getBuiltInRole('viewer').id };
  const { code } = await invite(owner, { controlUrl: url, token: tenant.token }, invited);
  return {
    signUp: { email, code: await getCodeTo(owner, email) },
    reset: { email: forgetful.email, code: await getCodeTo(owner, forgetful.email) },
    invitation: { email: invited.email, code },
  };
};

const newTerminals = async (url: string, { token }: Tenant) => {
  const [device, terminal] = [await startTerminal(url), await startTerminal(url, 8_085)];
  const { json } = await approve(url, token, terminal);
  return { device, loopback: { terminal, code: new URL(json.redirect_uri).searchParams.get('code') ?? '' } };
};

export const newPlace = async ({ controlUrl: url }: Planes, owner: pg.Client): Promise<SecretOwner> => {
  places += 1;
  const tenant = await newTenant({ controlUrl: url });
  await stepUp(url, tenant);
  const person = await signUp(url);
  const factored = { ...person, ...(await stepUpAndEnrol(url, person)) };
  const { mfa_challenge: challenge } = await beginSignIn(url, person);
  const key = await newControlClient(url, tenant.token).createApiKey({ body: { name: 'k', role_id: getBuiltInRole('viewer').id } });
  const scim = await newControlClient(url, tenant.token).createScimToken({ body: {} });
  const codes = await newCodes(url, owner, tenant, `${places}-${tenant.user.id.toLowerCase()}`);
  const terminals = await newTerminals(url, tenant);
  await waitForWithinStep();
  const enrolling = await newEnrolling(url);
  return {
    url,
    tenant,
    factored,
    challenge,
    totp: computeTotpCode(factored.secret),
    enrolling,
    ...codes,
    ...terminals,
    key: key.token,
    scimToken: scim.token,
  };
};
