import type { OperationResult } from '@svc/client/client-types.ts';
import { ServiceError } from '@svc/client/errors.ts';
import type { ApiAnswer } from './answer.ts';
import { client, type OperationBody } from './client.ts';
import type { SignInAnswer } from './session.ts';

const UNSUPPORTED = 'Passkeys do not work in this browser at this address. They need a host name such as localhost, not an IP address.';
const CANCELLED = 'The browser cancelled the request. The passkey was not used in time, or it belongs to another address.';

const refused = <Body>(message: string): ApiAnswer<Body> => ({ ok: false, error: new ServiceError({ code: 'NO_PASSKEY', message }) });

/** Passkeys as the browser returns them: one that is used, and one that is new. */
type UsedPasskey = OperationBody<'verifyPasskeySignIn'>['passkey'];
type NewPasskey = OperationBody<'enrolPasskey'>['passkey'];

/** Runs a WebAuthn ceremony and returns its result as JSON. */
const ceremony = async <Passkey extends UsedPasskey | NewPasskey>(ask: () => Promise<Credential | null>): Promise<ApiAnswer<Passkey>> => {
  if (!('PublicKeyCredential' in globalThis) || !('parseRequestOptionsFromJSON' in PublicKeyCredential)) return refused(UNSUPPORTED);
  try {
    const credential = await ask();
    return credential instanceof PublicKeyCredential ? { ok: true, body: credential.toJSON() as Passkey } : refused(CANCELLED);
  } catch (error) {
    return refused(error instanceof DOMException && error.name === 'SecurityError' ? UNSUPPORTED : CANCELLED);
  }
};

type Options = { readonly public_key?: unknown };

const provePasskey = ({ public_key }: Options): Promise<ApiAnswer<UsedPasskey>> =>
  ceremony(() =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(public_key as PublicKeyCredentialRequestOptionsJSON),
    }),
  );

const createPasskey = ({ public_key }: Options): Promise<ApiAnswer<NewPasskey>> =>
  ceremony(() =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(public_key as PublicKeyCredentialCreationOptionsJSON),
    }),
  );

/** Signs in with a passkey alone. */
export const signInWithPasskey = async (): Promise<ApiAnswer<SignInAnswer>> => {
  const options = await client.request('startPasskeySignIn', { body: {} });
  if (!options.ok) return options;
  const passkey = await provePasskey(options.body);
  return passkey.ok ? client.request('verifyPasskeySignIn', { body: { passkey: passkey.body } }) : passkey;
};

/** Answers the challenge of a sign-in with a passkey. */
export const verifyWithPasskey = async (mfa_challenge: string): Promise<ApiAnswer<object>> => {
  const options = await client.request('prepareMfa', { body: { mfa_challenge, method: 'PASSKEY' } });
  if (!options.ok) return options;
  const passkey = await provePasskey(options.body);
  return passkey.ok ? client.request('verifyMfa', { body: { mfa_challenge, passkey: passkey.body } }) : passkey;
};

/** Confirms the person's identity with a passkey. */
export const stepUpWithPasskey = async (): Promise<ApiAnswer<object>> => {
  const options = await client.request('preparePasskey', { body: { purpose: 'STEP_UP' } });
  if (!options.ok) return options;
  const passkey = await provePasskey(options.body);
  return passkey.ok ? client.request('stepUp', { body: { passkey: passkey.body } }) : passkey;
};

/** Enrols a new passkey. */
export const enrolPasskey = async (): Promise<ApiAnswer<OperationResult<'enrolPasskey'>>> => {
  const options = await client.request('preparePasskey', { body: { purpose: 'ENROL' } });
  if (!options.ok) return options;
  const passkey = await createPasskey(options.body);
  return passkey.ok ? client.request('enrolPasskey', { body: { passkey: passkey.body } }) : passkey;
};
