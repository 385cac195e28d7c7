import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { listSecrets } from '@svc/contract/rows/secret.ts';
import { SECRET_MEMBERS } from '@svc/contract/tables/secret-members.ts';
import { maskMembers } from './mask-members.ts';
import { MASKED } from './mask-secrets.ts';
import { countNames, namesSecret } from './secret-names.ts';

test('masks marked secrets by name wherever members are shown, unless the name is ambiguous', () => {
  for (const [name, where] of Object.entries(SECRET_MEMBERS)) {
    const expected = where === 'anywhere' ? MASKED : 'plain words';
    assert.deepEqual(maskMembers({ [name]: 'plain words' }, 3), { [name]: expected }, name);
  }
});

/** Members of the API that are named like secrets and are not. */
const NO_SECRETS: Readonly<Record<string, string>> = {
  'getAgentPassport token': 'a passport is shown to whoever wants to see it, and lets nobody in',
  'renewPassport token': 'the same',
  'exportPassport token': 'the same',
  'createApiKey api_key': 'what is known of the key, which stands beside it',
  'rotateApiKey api_key': 'the same of the key that was rotated',
  'getStepUpRequest user_code': 'the code that a terminal shows',
  'getCliRequest user_code': 'what the person compares with their terminal',
  'findCliRequest user_code': 'the same',
  pin: 'the digest of a definition',
  needs_credential: 'what a server asks for',
  token_type: 'the word Bearer',
  next_token: 'the position of a page',
  'searchAccessSubjects token': 'the same',
  'searchAccessResources token': 'the same',
  'searchAccessActions token': 'the same',
  credential_id: 'an identifier',
  password_changed_at: 'a time',
  previous_secret_ends_at: 'a time',
  token_opens: 'whether it opens',
  token_created_at: 'a time',
  token_created_by: 'an identifier',
  has_client_secret: 'whether there is one',
  token_url: 'an address',
  'getOauthServerMetadata authorization_endpoint': 'an address',
  'getMcpResource authorization_servers': 'addresses',
  'getMcpServerResource authorization_servers': 'the same',
  'getA2aResource authorization_servers': 'the same',
  'getAgentA2aResource authorization_servers': 'the same',
  'introspectToken authorization_details': 'tools and bounds',
  'introspectToken token_type_hint': 'the name of a type',
  'issueOauthToken actor_token_type': 'the name of a type',
  'issueOauthToken issued_token_type': 'the name of a type',
  'issueOauthToken requested_token_type': 'the name of a type',
  'issueOauthToken subject_token_type': 'the name of a type',
  'getMcpResource bearer_methods_supported': 'names of methods',
  'getMcpServerResource bearer_methods_supported': 'the same',
  'getA2aResource bearer_methods_supported': 'the same',
  'getAgentA2aResource bearer_methods_supported': 'the same',
  token_endpoint: 'an address',
  token_endpoint_auth_methods_supported: 'names of methods',
  token_endpoint_auth_signing_alg_values_supported: 'names of algorithms',
  secret_is: 'which part of HTTP basic it is',
  'dryCallTool credential': 'where it would stand in the call',
  'getToolProposal credentials': 'which ones the document wants',
  'listToolProposals credentials': 'the same',
  'createIntegration secrets': 'a list, of which each element marks its secret',
  'getApplication credential': 'where a credential would stand in a request of the application',
  'getApplication secret': 'whether an entered value is one, and the name of that value',
  'getApplication credential_kinds': 'names of kinds',
  'listApplications credential_kinds': 'the same',
  'askRuntimeHook credential_type': 'the type of a credential, such as slackApi',
  'getRuntimeBundle secret_slots': 'names of secrets that are filled in at deployment',
  authorization_url: 'where the browser is sent; what it proves stays in its cookie',
};

const findNames = (schema: unknown, names = new Set<string>(), seen = new Set<unknown>()): Set<string> => {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return names;
  seen.add(schema);
  const { properties } = schema as { readonly properties?: object };
  for (const name of Object.keys(properties ?? {})) names.add(name);
  for (const each of Object.values(schema)) findNames(each, names, seen);
  return names;
};

test('finds every API member that is named like a secret marked as one, or listed as none', () => {
  const found = (Object.entries(ENDPOINTS) as [string, Endpoint][]).flatMap(([operation, { body, query, result }]) =>
    [body, query, result].flatMap((schema) => {
      const marked = listSecrets(schema);
      const called = [...findNames(schema)].filter((name) => namesSecret(name) && !countNames(name) && !marked.has(name));
      return called.map((name) => (name in NO_SECRETS ? name : `${operation} ${name}`));
    }),
  );
  assert.deepEqual([...new Set(found)].sort(), Object.keys(NO_SECRETS).sort());
});
