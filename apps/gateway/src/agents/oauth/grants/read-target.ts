import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { type Destination, isDestinationFault, parseDestination } from '@svc/domain/tools/destinations/parse-destination.ts';
import type { TokenScope } from '@svc/keyring/tokens/agent-token.ts';
import { buildOauthRefusal } from './refuse-as.ts';

/** An external service that a token is for. */
export type TokenTarget = {
  readonly audience: string;
  /** Null if the service is identified by a name only. */
  readonly destination: Destination | null;
};

type TargetRequest = { readonly resource?: string | undefined; readonly audience?: string | undefined };

const NAME = /^[\x21-\x7e]+$/;

const readOrigin = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
};

/** Reads the target service of a token. It is never this gateway, so that no gateway must distinguish such tokens from those of agents. */
export const readTarget = (
  { issuer, audience: gateway }: TokenScope,
  { resource, audience }: TargetRequest,
): TokenTarget | Refusal<'UNPROCESSABLE'> => {
  const text = resource ?? audience;
  if (text === undefined || (resource !== undefined && audience !== undefined))
    return buildOauthRefusal('invalid_request', 'Send resource, the address of the service that the token is for, or audience, its name.');
  const origin = readOrigin(text);
  if ((resource !== undefined && origin === undefined) || text.includes('#') || !NAME.test(text))
    return buildOauthRefusal(
      'invalid_target',
      'resource must be an absolute http or https address without fragment; audience must be printable ASCII without spaces.',
    );
  if (text === gateway || text === issuer || (origin === readOrigin(gateway) && origin !== undefined))
    return buildOauthRefusal(
      'invalid_target',
      'Exchanged tokens are for services outside. Request a token for this gateway with client_credentials.',
    );
  if (origin === undefined) return { audience: text, destination: null };
  const destination = parseDestination(text);
  return isDestinationFault(destination)
    ? buildOauthRefusal('invalid_target', `The address ${destination.fault}.`)
    : { audience: text, destination };
};
