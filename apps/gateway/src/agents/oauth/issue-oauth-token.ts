import { CLIENT_ASSERTION_TYPE, TOKEN_EXCHANGE } from '@svc/contract/agents/oauth.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../../deps.ts';
import { exchangeToken } from './grants/exchange-token.ts';
import { grantCredentials } from './grants/grant-credentials.ts';
import { buildOauthRefusal } from './grants/refuse-as.ts';

export const issueOauthToken: Handler<Endpoints['issueOauthToken'], GatewayDeps> = async (call, deps) => {
  const { grant_type, client_assertion_type, client_assertion } = call.body;
  const isExchange = grant_type === TOKEN_EXCHANGE;
  if (grant_type !== 'client_credentials' && !isExchange)
    return buildOauthRefusal('unsupported_grant_type', `grant_type must be client_credentials or ${TOKEN_EXCHANGE}.`);
  const isSigned = client_assertion_type === CLIENT_ASSERTION_TYPE && client_assertion !== undefined;
  // In an exchange the token of the agent may authenticate it in place of an assertion.
  const isUnsigned = client_assertion_type === undefined && client_assertion === undefined;
  if (!isSigned && !(isExchange && isUnsigned))
    return buildOauthRefusal(
      'invalid_client',
      `Sign in with private_key_jwt: client_assertion, and client_assertion_type ${CLIENT_ASSERTION_TYPE}.`,
    );
  return isExchange ? exchangeToken(call, deps) : grantCredentials(call, deps);
};
