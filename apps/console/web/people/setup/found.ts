import { type Answer, call, callAsProgram } from '../../data/call.ts';
import type { Session } from '../../data/session.ts';

export type Founded = {
  readonly session: Session & { readonly token: string };
  readonly gatewayUrl: string | undefined;
};

/** Undefined where it is not told: the rest of the page does without. */
const findGateway = async (token: string): Promise<string | undefined> => {
  const answer = await callAsProgram<{ readonly gateway_url?: string }>('GET', '/v1/meta/info', { token });
  return answer.ok ? answer.body.gateway_url : undefined;
};

/** Makes the organization, with a session for the founder's terminal and another, in a cookie, for this browser. */
export const found = async (values: Readonly<Record<string, string>>, setup_token: string): Promise<Answer<Founded>> => {
  const answer = await callAsProgram<Founded['session']>('POST', '/v1/auth/signup', { body: { ...values, setup_token } });
  if (!answer.ok) return answer;
  const { email, password } = values;
  const [gatewayUrl] = await Promise.all([findGateway(answer.body.token), call('POST', '/v1/auth/login', { email, password })]);
  return { ok: true, body: { session: answer.body, gatewayUrl } };
};
