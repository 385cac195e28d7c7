import type { CredentialTest } from '@svc/contract/credentials/test-calls.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { CredentialSecrets } from '@svc/domain/credentials/place-secret.ts';
import { describeTokenFailure } from '@svc/domain/credentials/token-failures.ts';
import type { AllowlistEntry } from '@svc/domain/tools/destinations/allowlist.ts';
import type { EgressResult, OpenedSecret } from '@svc/egress/requests/egress-request.ts';
import type { TestSecrets } from '@svc/operations/credentials/credentials/begin-credential-test.ts';
import { haveAccessToken, type StoredAccess } from '@svc/operations/credentials/tokens/have-access-token.ts';
import { hideAlso, openAccess } from '@svc/operations/credentials/tokens/open-access.ts';
import type { TokenDesk } from '@svc/operations/credentials/tokens/token-desk.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findCredential, type StoredCredential } from '@svc/postgres/credentials/credentials.ts';
import { readStandings } from '@svc/postgres/credentials/tokens/credential-tokens.ts';
import { type CredentialTestResult, formatFailedTest, formatTestResult } from './format-test.ts';
import type { TestCalls } from './open-test-calls.ts';

/** One call to make. `secrets` lists what is sent and what must be hidden, including what access tokens are obtained with. */
export type TestCall = {
  readonly organization_id: string;
  readonly credential: StoredCredential;
  readonly entries: readonly AllowlistEntry[];
  readonly secrets: TestSecrets;
  readonly url: string;
  readonly method: CredentialTest['method'];
};

const { oauth } = LIMITS;
const UNAUTHORIZED = 401;
/** No further attempt starts with less time left than this. */
const LEAST_MS = 1_000;
const CHANGED = 'Nothing was sent: the credential was rotated or revoked meanwhile. Try it once more.';
const NO_TOKEN = 'No access token could be had in time.';

const within = <Value>(work: Promise<Value>, ms: number): Promise<Value | undefined> => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, ms, undefined);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
};

/** Opens the context of a running call: its remaining time, and whether its credential is still valid. */
const newUnderWay = (desk: TokenDesk, { organization_id, credential: { id, generation } }: TestCall, withinMs: number) => {
  const startedAt = performance.now();
  const state = { isChanged: false };
  const stands = (): Promise<boolean> =>
    readInTenant(desk.database, { organization_id }, async (tx) => {
      const now = await findCredential(tx, { organization_id, id });
      state.isChanged = now?.status !== 'ACTIVE' || now.generation !== generation;
      return !state.isChanged;
    });
  return { state, stands, leftMs: (): number => withinMs - (performance.now() - startedAt) };
};

/** Makes the call with an access token, obtained as for a tool call; a token that is refused with 401 is replaced once. */
const callWithToken = async (
  desk: TokenDesk,
  { organization_id, credential, held }: TestCall & { readonly held: CredentialSecrets },
  { stands, leftMs }: ReturnType<typeof newUnderWay>,
  send: (open: () => OpenedSecret, timeoutMs: number) => Promise<EgressResult>,
): Promise<EgressResult | undefined> => {
  const key = { organization_id, credential_id: credential.id };
  const have = (otherThan?: number) => within(haveAccessToken(desk, key, otherThan), Math.min(oauth.waitMs, leftMs() / 2));
  const sendBy = (token: StoredAccess, refused?: StoredAccess) => {
    const open = () => {
      const opened = openAccess(desk, key, token, held);
      return refused === undefined ? opened : hideAlso(opened, [openAccess(desk, key, refused, held).secret]);
    };
    return send(open, Math.max(leftMs(), LEAST_MS));
  };
  const token = await have();
  if (token === undefined || !(await stands())) return undefined;
  const result = await sendBy(token);
  if (result.kind !== 'answered' || result.status !== UNAUTHORIZED || leftMs() < 2 * LEAST_MS) return result;
  const another = await have(token.version);
  return another === undefined || !(await stands()) ? result : sendBy(another, token);
};

/** Returns why there is no access token, in the words of the credential. */
const whyNoToken = async (desk: TokenDesk, { organization_id, credential: { id } }: TestCall): Promise<string> => {
  const standings = await readInTenant(desk.database, { organization_id }, (tx) => readStandings(tx, organization_id, [id]));
  const standing = standings.get(id);
  if (standing?.state === 'UNCONNECTED') return 'The credential is not connected. Connect it, or rotate it with a refresh token.';
  return standing?.failure == null ? NO_TOKEN : `${NO_TOKEN} ${describeTokenFailure(standing.failure)}`;
};

/** Makes a test call within its time, with no connection to the database while it is under way. Throws a CredentialKeyError under another master key. */
export const makeTestCall = async (
  { egress, withinMs }: Pick<TestCalls, 'egress' | 'withinMs'>,
  desk: TokenDesk,
  call: TestCall,
): Promise<CredentialTestResult> => {
  const { organization_id, credential, entries, secrets, url, method } = call;
  // An access token is obtained to be sent, and obtaining it sends the client secret.
  const disabled = egress.disabledFor({ url });
  if (disabled !== undefined) return formatTestResult({ kind: 'disabled', reason: disabled }, method);
  const underWay = newUnderWay(desk, call, withinMs);
  const { scheme, placement, extras } = credential;
  const send = (open: () => OpenedSecret, timeoutMs: number): Promise<EgressResult> =>
    egress.call({
      ...{ method, url, headers: {}, tenant: organization_id, timeoutMs, mayLeave: underWay.stands },
      credential: { scheme, placement, extras, destinations: entries, open },
    });
  const result =
    'held' in secrets
      ? await callWithToken(desk, { ...call, ...secrets }, underWay, send)
      : await send(() => secrets, Math.max(underWay.leftMs(), LEAST_MS));
  if (underWay.state.isChanged && (result === undefined || (result.kind === 'failed' && !result.sent)))
    return formatFailedTest('CHANGED', CHANGED);
  return result === undefined ? formatFailedTest('NO_TOKEN', await whyNoToken(desk, call)) : formatTestResult(result, method);
};
