/** Reads the address at which a partner wants the push notifications of a task. */
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { PUSH_METHODS } from '@svc/domain/peers/a2a/push-notifications.ts';
import type { PushTarget } from '@svc/domain/peers/a2a/push-target.ts';
import { isMembers } from '../../mcp/upstream/messages.ts';
import type { A2aMessage } from './read-request.ts';

const { pushUrlCharsMax, pushTokenCharsMax, pushCredentialsCharsMax } = LIMITS.a2a;
const MEMBER = 'taskPushNotificationConfig';
const SCHEME = /^[A-Za-z][A-Za-z0-9-]{0,39}$/u;
const VISIBLE = /^[\x21-\x7e]+$/u;
const CREDENTIALS = /^[\x20-\x7e]+$/u;

/** Addresses that a push target is compared with and replaced by. */
export type PushAddresses = {
  /** The card of the partner: notifications go to its host and port only. */
  readonly cardUrl: string;
  /** Address to which the published agent sends its notifications. */
  readonly gatewayUrl: string;
};

/** The message with the address of the gateway in place of the partner's, and that of the partner. */
export type TakenPushTarget = { readonly message: A2aMessage; readonly target: PushTarget };

type PushTargetFault = { readonly fault: string };

const findUrlFault = (url: unknown, cardUrl: string): string | undefined => {
  if (typeof url !== 'string' || url.length > pushUrlCharsMax || !URL.canParse(url)) return 'url must be an address.';
  const { origin, username, password, search, hash } = new URL(url);
  if (origin !== new URL(cardUrl).origin) return 'url must be an address of the host and port of your agent card.';
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    return 'url must have no user name, query or fragment. Send a secret as token or authentication.';
  return undefined;
};

const isText = (value: unknown, pattern: RegExp, charsMax: number): value is string =>
  typeof value === 'string' && value.length <= charsMax && pattern.test(value);

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';

const readTarget = (config: unknown, cardUrl: string): PushTarget | PushTargetFault => {
  if (!isMembers(config)) return { fault: 'A push config must be an object.' };
  const { url, token, authentication } = config;
  const fault = findUrlFault(url, cardUrl);
  if (fault !== undefined) return { fault };
  if (!isMissing(token) && !isText(token, VISIBLE, pushTokenCharsMax))
    return { fault: `token must have at most ${pushTokenCharsMax} visible ASCII characters.` };
  const plain = { url: new URL(String(url)).href, ...(isMissing(token) ? {} : { token: String(token) }) };
  if (isMissing(authentication)) return plain;
  const { scheme, credentials } = isMembers(authentication) ? authentication : {};
  if (!isText(scheme, SCHEME, SCHEME.source.length) || !isText(credentials, CREDENTIALS, pushCredentialsCharsMax))
    return { fault: `authentication must have a scheme, and credentials of at most ${pushCredentialsCharsMax} ASCII characters.` };
  return { ...plain, authentication: { scheme, credentials } };
};

const isFault = (read: PushTarget | PushTargetFault): read is PushTargetFault => 'fault' in read;

/** Returns the push config that a message contains; undefined if it asks for no push notifications. */
const findConfig = ({ method, parameters }: A2aMessage): unknown => {
  if (method === PUSH_METHODS.create) return parameters.push_config ?? null;
  return isMembers(parameters.configuration) ? parameters.configuration[MEMBER] : undefined;
};

const replaceConfig = ({ parameters, ...message }: A2aMessage, config: JsonObject): A2aMessage => {
  if (message.method === PUSH_METHODS.create) return { ...message, parameters: { ...parameters, push_config: config } };
  const configuration = { ...(parameters.configuration as JsonObject), [MEMBER]: config };
  return { ...message, parameters: { ...parameters, configuration } };
};

/** True if a message asks for push notifications. */
export const asksForPushes = (message: A2aMessage): boolean => findConfig(message) !== undefined;

/**
 * Takes the push target out of a message, which is recorded and sent on with the address of the gateway. The record keeps the address of the
 * partner, without its token and its credentials.
 */
export const takePushTarget = (message: A2aMessage, { cardUrl, gatewayUrl }: PushAddresses): TakenPushTarget | PushTargetFault => {
  const target = readTarget(findConfig(message), cardUrl);
  if (isFault(target)) return target;
  return { message: replaceConfig(message, { url: gatewayUrl, target_url: target.url }), target };
};
