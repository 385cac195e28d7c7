import { notApplicable, type Requirement, requirementMet } from '../requirement.ts';
import { AGENT_TOKEN, ASSERTIONS_E2E, BROWSER, CLI, LYING_PROVIDER, PAGES_SEEN, SECRETS, SESSIONS, SSO } from './tests.ts';

const RETURN = 'accepts a return once, in the browser that started it, with its own state';
const ONE_CLIENT = 'Sign-ins of terminals are for one client of our own, which is public; others cannot be registered.';
const NO_REFRESH = 'There are no refresh tokens: a session that has ended is asked for anew.';
const NO_SCOPES = 'There are no scopes: a terminal has what its person may do, and nothing is given to third parties.';
const NO_PROVIDER = 'The service is no OpenID provider.';
const PAGE = 'admit a terminal by its code, with a sign-in on the way';

/**
 * The service is a client of OpenID providers, accepts its own tokens at the gateway, and authorizes terminals by a code flow with PKCE. It
 * is no authorization server for others; requirements for one are applied to the sign-in of terminals where they fit.
 */
export const oauth: Readonly<Record<string, Requirement>> = {
  '10.1.1': requirementMet(
    2,
    'Tokens reach only components that need them, and no script of a page.',
    BROWSER('gets an HttpOnly cookie and no token; any other client gets the token and no cookie'),
    SECRETS('no secret is in the logs of either plane, at the debug level and after a database error'),
  ),
  '10.1.2': requirementMet(
    2,
    'Authorization responses are bound to browser and sign-in attempt.',
    SSO(RETURN),
    LYING_PROVIDER('it is of this sign-in'),
    LYING_PROVIDER('it has a nonce'),
  ),
  '10.2.1': requirementMet(
    2,
    'A forged authorization response requests no token.',
    SSO(RETURN),
    SSO('is refused if the provider refuses, for a foreign code, and for another issuer'),
  ),
  '10.2.2': requirementMet(
    2,
    'Mix-up attacks are prevented.',
    LYING_PROVIDER('a provider that omits its issuer is identified by the path of the return'),
    LYING_PROVIDER('it names its issuer'),
  ),
  '10.3.1': requirementMet(
    2,
    'The gateway accepts only tokens issued for it.',
    AGENT_TOKEN('rejects a token for another gateway or of another issuer, even an expired one'),
  ),
  '10.3.2': requirementMet(
    2,
    'Decisions use the subject of a token and its delegated authority.',
    AGENT_TOKEN('states the signed claims in a token, and no permissions of the agent'),
    ASSERTIONS_E2E('is valid only for the agent that the body names too'),
  ),
  '10.3.3': requirementMet(
    2,
    'Users are identified by claims that are never reassigned.',
    AGENT_TOKEN('states the signed claims in a token, and no permissions of the agent'),
    SSO('of one person cannot be linked to another'),
  ),
  '10.3.4': notApplicable(
    2,
    'Authentication strength is checked where required.',
    'The gateway serves agents, which have one authentication method.',
  ),
  '10.4.1': requirementMet(
    1,
    'Codes are sent to registered redirect URIs only.',
    CLI('by LOOPBACK: the browser is redirected to its machine, with a code and the request as state'),
    CLI('contains only valid values: PKCE by S256, a port where one is used, texts without deceptive characters'),
  ),
  '10.4.2': requirementMet(
    1,
    'A code is single-use; a second use revokes its tokens.',
    CLI('once: of 32 concurrent requests of terminals one gets a session, and of 32 approvals one counts'),
    CLI('and loses the session if its code is used again'),
  ),
  '10.4.3': requirementMet(
    1,
    'A code expires within ten minutes.',
    CLI('expires after ten minutes without a decision, approved ones included'),
  ),
  '10.4.4': requirementMet(
    1,
    'Clients have only the grants they need, and no implicit one.',
    CLI('contains only valid values: PKCE by S256, a port where one is used, texts without deceptive characters'),
  ),
  '10.4.5': notApplicable(1, 'A refresh token that is replayed is found.', NO_REFRESH),
  '10.4.6': requirementMet(
    2,
    'A code requires PKCE with S256.',
    CLI('contains only valid values: PKCE by S256, a port where one is used, texts without deceptive characters'),
    CLI('only with the verifier, without which the request is unknown'),
  ),
  '10.4.7': notApplicable(2, 'Clients that register themselves are bounded.', ONE_CLIENT),
  '10.4.8': notApplicable(2, 'Refresh tokens end for good some day.', NO_REFRESH),
  '10.4.9': requirementMet(
    2,
    'Users can revoke tokens that they granted.',
    SESSIONS('endSession ends one session and everything switched from it, and none of another person'),
    CLI('outlasts the sign-out of the browser, unless that ends its terminals too, also of other organizations'),
  ),
  '10.4.10': notApplicable(2, 'Confidential clients prove themselves.', ONE_CLIENT),
  '10.4.11': notApplicable(2, 'Clients get the scopes they need.', NO_SCOPES),
  '10.5.1': requirementMet(2, 'ID tokens cannot be replayed.', LYING_PROVIDER('it is of this sign-in'), LYING_PROVIDER('it has a nonce')),
  '10.5.2': requirementMet(
    2,
    'Users are identified by the subject of their provider.',
    SSO('admits a new person with a verified address of a verified domain, and later recognizes them'),
    LYING_PROVIDER('it names a person'),
  ),
  '10.5.3': requirementMet(
    2,
    'Metadata of another issuer is refused.',
    LYING_PROVIDER('with another issuer or with an invalid address is not used'),
  ),
  '10.5.4': requirementMet(
    2,
    'An ID token must have the audience of the service.',
    LYING_PROVIDER('it is for this service'),
    LYING_PROVIDER('it is for this service only'),
  ),
  '10.5.5': notApplicable(
    2,
    'Back-channel logout tokens are verified.',
    'There is no back-channel logout; a directory ends sessions by SCIM.',
  ),
  '10.6.1': notApplicable(2, 'A provider answers in safe modes only.', NO_PROVIDER),
  '10.6.2': notApplicable(2, 'A provider signs nobody out against their will.', NO_PROVIDER),
  '10.7.1': requirementMet(
    2,
    'Each terminal is authorized by a user.',
    CLI('by DEVICE: it shows a code, a person types it, and the requesting terminal gets the session'),
    PAGES_SEEN(PAGE),
  ),
  '10.7.2': requirementMet(2, 'Consent shows the client and the requested access.', PAGES_SEEN(PAGE)),
  '10.7.3': requirementMet(
    2,
    'Consents can be viewed and revoked.',
    SESSIONS('the list returns every valid session, with device, addresses, times and proofs, and marks the current one'),
    SESSIONS('endSession ends one session and everything switched from it, and none of another person'),
  ),
};
