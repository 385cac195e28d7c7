import { newCredential } from '@svc/testing/agents/new-credential.ts';
import { newToolImport } from '@svc/testing/agents/new-tool-import.ts';
import { newChannel } from '@svc/testing/events/new-channel.ts';
import { newWebhook } from '@svc/testing/events/new-webhook.ts';
import { mustCall } from '@svc/testing/people/client.ts';

type Of = { readonly controlUrl: string; readonly token: string; readonly environment_id: string };
type Within = { readonly workspace_id?: string; readonly environment_id?: string };

/** What a path names that is no row of anything made. */
const WORDS = {
  ...{ capability: 'x', step: 'goals', asset: 'index.js', guideName: 'webhooks' },
  ...{ resourceTypeName: 'User', schemaUrn: 'urn:ietf:params:scim:schemas:core:2.0:User' },
  ...{ tileLevel: '0', tile: '000.p', tileNext: '1', tileThird: '000', tileWidth: '1' },
} as const;

/**
 * One of each noun that wants nothing but an environment, by the parameter of a path that names it, and the words that paths take. All that
 * sweeps over the rows get theirs here, so a new noun stands here once. Names and descriptions hold `word`.
 */
export const newOneOfEach = async (of: Of, word: string, within: Within = {}) => {
  const post = (path: string, body: object) => mustCall(of.controlUrl, 'POST', path, { token: of.token, body });
  return {
    ...WORDS,
    ...(await newWebhook(of, { name: `${word} receiver`, ...within })),
    ...(await newChannel(of, { name: `${word} channel`, ...within })),
    ...(await newCredential(of, { name: `${word} credential`, description: word })),
    ...(await newToolImport(of, `${word} things`)),
    searchId: (await post('/v1/audit-events/searches', { name: `${word} search`, filter: { q: word } })).id as string,
  };
};
