import { ServiceError } from '@svc/client/errors.ts';
import type { Answer } from './call.ts';

const NONE = 'This browser knows no passkeys, or not at this address: they need a name and no number, such as localhost.';
const BROKEN_OFF = 'The browser broke it off: the passkey was not used in time, or is none of this address.';

const refused = <Body>(message: string): Answer<Body> => ({ ok: false, error: new ServiceError({ code: 'NO_PASSKEY', message }) });

/** What the browser answers to a ceremony, as JSON; or why there is nothing. */
const ceremony = async (ask: () => Promise<Credential | null>): Promise<Answer<unknown>> => {
  if (!('PublicKeyCredential' in globalThis) || !('parseRequestOptionsFromJSON' in PublicKeyCredential)) return refused(NONE);
  try {
    const credential = await ask();
    return credential instanceof PublicKeyCredential ? { ok: true, body: credential.toJSON() } : refused(BROKEN_OFF);
  } catch (error) {
    return refused(error instanceof DOMException && error.name === 'SecurityError' ? NONE : BROKEN_OFF);
  }
};

type Told = { readonly public_key: unknown };

/** Proves with a passkey that there is. */
export const proveByPasskey = ({ public_key }: Told): Promise<Answer<unknown>> =>
  ceremony(() =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(public_key as PublicKeyCredentialRequestOptionsJSON),
    }),
  );

/** Makes a new one. */
export const makePasskey = ({ public_key }: Told): Promise<Answer<unknown>> =>
  ceremony(() =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(public_key as PublicKeyCredentialCreationOptionsJSON),
    }),
  );
