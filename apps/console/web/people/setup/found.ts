import type { OperationResult } from '@svc/client/client-types.ts';
import type { ApiAnswer } from '../../data/answer.ts';
import { client, getProgramClient, type OperationBody } from '../../data/client.ts';
import type { Values } from '../../design/form.tsx';

export type Founded = {
  readonly session: OperationResult<'signup'>;
  /** Undefined where the service does not say: the page works without. */
  readonly gatewayUrl: string | undefined;
};

const findGateway = async (token: string): Promise<string | undefined> => {
  const answer = await getProgramClient(token).request('getInfo');
  return answer.ok ? (answer.body.gateway_url ?? undefined) : undefined;
};

/** Creates the organization, with a session for the founder's terminal and another, in a cookie, for this browser. */
export const createOrganization = async (values: Values, setup_token: string): Promise<ApiAnswer<Founded>> => {
  const answer = await getProgramClient().request('signup', { body: { ...values, setup_token } as OperationBody<'signup'> });
  if (!answer.ok) return answer;
  const { email = '', password = '' } = values;
  const [gatewayUrl] = await Promise.all([findGateway(answer.body.token ?? ''), client.request('login', { body: { email, password } })]);
  return { ok: true, body: { session: answer.body, gatewayUrl } };
};
