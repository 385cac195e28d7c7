import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Egress } from '@svc/egress/create-egress.ts';
import type { EgressResult, OpenedSecret } from '@svc/egress/requests/egress-request.ts';
import { hideAlso } from '@svc/operations/credentials/tokens/open-access.ts';
import type { AccessToken, AccessTokens } from './access-tokens.ts';
import type { ProvedCall } from './call-with-secret.ts';

const UNAUTHORIZED = 401;
/** With less time left than this no attempt starts. */
const LEAST_MS = 1_000;

const NO_TOKEN: EgressResult = {
  kind: 'no_credential',
  reason: 'The call was not sent: no access token could be obtained for its credential. See the credential for the reason.',
};
const NEVER_SENT: EgressResult = {
  kind: 'failed',
  reason: 'The call was not sent: its permission changed while it was waiting.',
  sent: false,
};

/** A refused token is hidden in the next response too, which may echo it. */
const opensAfter =
  ({ open }: AccessToken, refused: AccessToken | undefined) =>
  (): OpenedSecret | undefined => {
    const opened = open();
    const before = refused?.open();
    return opened && (before === undefined ? opened : hideAlso(opened, [before.secret, ...before.hidden]));
  };

/**
 * Makes a call with the access token of its credential. A call that waited for a token checks again that it may be sent. A token that the
 * service refuses with 401 is replaced, and the call repeated; all within the timeout of one call.
 */
export const newCallWithToken =
  (egress: Egress, tokens: AccessTokens): ProvedCall =>
  async (call, credential, timeoutMs) => {
    const startedAt = performance.now();
    const leftMs = (): number => timeoutMs - (performance.now() - startedAt);
    const waitMs = (): number => Math.min(LIMITS.oauth.waitMs, leftMs() / 2);
    const { id, generation, scheme, placement, extras, destinations } = credential;
    const send = (token: AccessToken, refused?: AccessToken): Promise<EgressResult> =>
      egress.call({
        ...call,
        timeoutMs: Math.max(leftMs(), LEAST_MS),
        keepFor: `${id} ${generation} token ${token.version}`,
        credential: { scheme, placement, extras, destinations, open: opensAfter(token, refused) },
      });

    const known = tokens.known(call.tenant, credential);
    const token = known ?? (await tokens.have(call.tenant, credential, waitMs()));
    if (token === undefined) return NO_TOKEN;
    if (known === undefined && !(await call.mayLeave())) return NEVER_SENT;
    const result = await send(token);
    const isRefused = (result.kind === 'answered' || result.kind === 'answered_large') && result.status === UNAUTHORIZED;
    if (!isRefused || leftMs() < LEAST_MS) return result;
    const another = await tokens.have(call.tenant, credential, waitMs(), token.version);
    if (another === undefined || leftMs() < LEAST_MS || !(await call.mayLeave())) return result;
    if (result.kind === 'answered_large') result.large?.release();
    return send(another, token);
  };
