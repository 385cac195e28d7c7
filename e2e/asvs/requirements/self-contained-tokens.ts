import { type Requirement, requirementMet } from '../requirement.ts';
import { AGENT_TOKEN, ASSERTION, ASSERTIONS_E2E, LYING_PROVIDER, PASSPORT, PLATFORM_KEY } from './tests.ts';

const MALFORMED = `fails authentication for an assertion with \${what}`;

export const selfContainedTokens: Readonly<Record<string, Requirement>> = {
  '9.1.1': requirementMet(
    1,
    'Token contents are used only after signature verification.',
    ASSERTION(MALFORMED),
    PASSPORT('rejects a changed, cut or re-typed passport'),
    LYING_PROVIDER('the provider signed it'),
  ),
  '9.1.2': requirementMet(
    1,
    'Only listed algorithms are accepted, never `none`.',
    ASSERTION(MALFORMED),
    LYING_PROVIDER('its algorithm is one with two keys'),
    LYING_PROVIDER('it is signed at all'),
  ),
  '9.1.3': requirementMet(
    1,
    'Keys come from configuration, not from the token.',
    ASSERTION(MALFORMED),
    PASSPORT('rejects a passport that names another key id than its key'),
    LYING_PROVIDER('a valid provider is accepted, also with a key it published just now'),
  ),
  '9.2.1': requirementMet(
    1,
    'Token validity periods are enforced.',
    AGENT_TOKEN('expires a token at the second it names'),
    ASSERTIONS_E2E('is valid now: not expired, not from the future, and with a limited life'),
    LYING_PROVIDER('it has not expired'),
    LYING_PROVIDER('it has begun'),
  ),
  '9.2.2': requirementMet(
    2,
    'Token types are verified.',
    PASSPORT("rejects a text that the platform's key signed for another purpose"),
    ASSERTIONS_E2E('is valid for its own plane and its own deployment only'),
    PLATFORM_KEY('accepts previous keys and never signs with them'),
  ),
  '9.2.3': requirementMet(
    2,
    'Token audiences are verified.',
    ASSERTIONS_E2E('is valid for one audience in its exact form'),
    AGENT_TOKEN('rejects a token for another gateway or of another issuer, even an expired one'),
    LYING_PROVIDER('it is for this service'),
  ),
  '9.2.4': requirementMet(
    2,
    'A key that signs for several audiences names each of them.',
    AGENT_TOKEN('rejects a token for another gateway or of another issuer, even an expired one'),
    PASSPORT("rejects a text that the platform's key signed for another purpose"),
  ),
};
